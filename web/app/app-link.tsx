import { Link } from 'react-router';
import type { LinkProps } from '../ui/link.tsx';

export function AppLink({ href, keepsScroll = false, ...rest }: LinkProps) {
  const isInternal = href.startsWith('/') && !href.startsWith('//') && !href.startsWith('/api/');
  return isInternal && rest.target === undefined && rest.download === undefined ? (
    <Link to={href} prefetch="intent" preventScrollReset={keepsScroll} {...rest} />
  ) : (
    <a href={href} {...rest} />
  );
}

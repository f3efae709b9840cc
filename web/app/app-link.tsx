import { Link } from 'react-router';
import type { LinkProps } from '../ui/link.tsx';

export function AppLink({ href, keepsPlace = false, ...rest }: LinkProps) {
  const isOurs = href.startsWith('/') && !href.startsWith('//') && !href.startsWith('/api/');
  return isOurs && rest.target === undefined && rest.download === undefined ? (
    <Link to={href} prefetch="intent" preventScrollReset={keepsPlace} {...rest} />
  ) : (
    <a href={href} {...rest} />
  );
}

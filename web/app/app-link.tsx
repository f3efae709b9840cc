/** Links of the app: its own pages without a new document, everything else as the browser does it. */
import { Link } from 'react-router';
import type { LinkProps } from '../ui/link.tsx';

/** The app's own navigation between pages; other addresses are left to the browser. */
export function AppLink({ href, keepsPlace = false, ...rest }: LinkProps) {
  const isOurs = href.startsWith('/') && !href.startsWith('//') && !href.startsWith('/api/');
  return isOurs && rest.target === undefined && rest.download === undefined ? (
    <Link to={href} prefetch="intent" preventScrollReset={keepsPlace} {...rest} />
  ) : (
    <a href={href} {...rest} />
  );
}

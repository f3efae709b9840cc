/** Every address that no page has, or none of those that this document knows (route-table.ts). */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { type ClientLoaderFunctionArgs, data, redirectDocument } from 'react-router';

export function loader(): never {
  throw data(null, { status: 404 });
}

/** The desk's pages are known to its own documents only. */
export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  const { pathname } = new URL(request.url);
  if (pathname === PATHS.admin || pathname.startsWith(`${PATHS.admin}/`)) throw redirectDocument(request.url);
  return serverLoader();
}

export default function NotFound() {
  return null;
}

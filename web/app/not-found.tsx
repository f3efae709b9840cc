import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { type ClientLoaderFunctionArgs, data, redirectDocument } from 'react-router';

export function loader(): never {
  throw data(null, { status: 404 });
}

/** Only documents of the admin console contain its routes, so other documents load a new one for them. */
export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  const { pathname } = new URL(request.url);
  if (pathname === PATHS.admin || pathname.startsWith(`${PATHS.admin}/`)) throw redirectDocument(request.url);
  return serverLoader();
}

export default function NotFound() {
  return null;
}

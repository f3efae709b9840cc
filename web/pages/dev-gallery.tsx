import { data, type LoaderFunctionArgs } from 'react-router';
import { requestContextKey } from '../platform/request-context.ts';
import { Gallery } from '../ui/gallery.tsx';

export function loader({ context }: LoaderFunctionArgs) {
  if (!context.get(requestContextKey).isDevelopment) throw data(null, { status: 404 });
  return null;
}
export const handle = { shell: 'none' };
export const meta = () => [{ title: 'Gallery · Stagedoor' }];

export default Gallery;

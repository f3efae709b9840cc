/** Publishing: drafts and scheduled posts: what creators write before it is public. Above posts, through which they publish. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };

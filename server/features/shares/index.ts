/** Shares: what a link to a profile or a post is elsewhere. Called by none. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };

/** Themes: how creators' own pages are drawn. Profiles ask for the look of what is published, pictures for sharing are dressed by it. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type Dress, dressOf, publishedLook } from './present.ts';

export const room = { ...manifest, register };

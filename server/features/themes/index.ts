import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type Dress, dressOf, publishedLook } from './present.ts';

export const room = { ...manifest, register };

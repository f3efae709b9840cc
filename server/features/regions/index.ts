/** Where creators are not to be seen. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };

/** Teams. Called by none: the kernel asks for whom a session acts, and has what it does kept. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };

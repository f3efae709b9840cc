/** The platform uses it to find for whom a session acts and to log actions. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const featureModule = { ...manifest, register };

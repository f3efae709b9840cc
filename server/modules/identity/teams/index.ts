/** The platform uses it to find the creator that a session acts for, and to log actions. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const featureModule = { ...manifest, register };

/** The checks are in platform/geo.ts. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const featureModule = { ...manifest, register };

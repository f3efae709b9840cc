/** Share pictures (Open Graph) and short profile addresses. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const featureModule = { ...manifest, register };

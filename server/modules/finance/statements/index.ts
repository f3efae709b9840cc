/** Statements to download. Depends on the wallet for the labels of movements. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const featureModule = { ...manifest, register };

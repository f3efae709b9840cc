/** Tip goals: amounts that creators collect tips for. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const featureModule = { ...manifest, register };

import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type DeletionMoment, type LeavingUser, registerDeletionStep } from './steps.ts';

export const featureModule = { ...manifest, register };

/** Push notifications to devices: web push and Safari. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { countPushServiceErrors } from './service-errors.ts';

export const featureModule = { ...manifest, register };

/**
 * Notifications: decides which users are notified of which events. Depends on all modules that emit them. Only the
 * admin console depends on it.
 */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { markReadUpTo } from './list.ts';
export { countPushServiceErrors } from './push/service-errors.ts';

export const featureModule = { ...manifest, register };

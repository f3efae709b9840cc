/**
 * Notifications: decides which users are notified of which events. Depends on all modules that emit them. Only the
 * admin console depends on it.
 */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { readUpTo } from './lines.ts';
export { countPushFaults } from './push/faults.ts';

export const room = { ...manifest, register };

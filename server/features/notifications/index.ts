/** Notifications: who is told what of what happens. Above all rooms that tell; the desk alone builds on it. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { readUpTo } from './lines.ts';
export { countPushFaults } from './push/faults.ts';

export const room = { ...manifest, register };

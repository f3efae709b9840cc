/** Notifications: who is told what of what happens. Above all rooms that tell; nobody builds on it. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };

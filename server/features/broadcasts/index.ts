/** Broadcasts: one message to many, stored once, in each fan's own conversation when they look. Above chat. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };

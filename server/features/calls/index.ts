/**
 * Paid one-to-one calls. Submodules: terms (prices, hours), call (state machine and its transaction), clock
 * (heartbeats, metering), signalling (tokens, relay, SFU), history (lists and receipts). Depends on chat, sales and
 * presence.
 */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { findCall } from './call/access.ts';
export { countOpenCalls, countRunningCalls, findDeskCall } from './desk.ts';
export { keepRinging, passTime, SETTINGS } from './rehearsal.ts';

export { registerReach } from './terms/reach.ts';

export const room = { ...manifest, register };

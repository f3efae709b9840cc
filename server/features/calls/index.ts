/**
 * Paid calls, one to one. Its floors: terms (prices, hours), call (its states and the one transaction that changes it), clock (who is
 * heard, what is due), signalling (tokens, relay, SFU), history (lists and receipts). Above chat, sales and presence.
 */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { findCall } from './call/access.ts';
export { countOpenCalls, countRunningCalls, findDeskCall } from './desk.ts';
/** For the demo world, whose time is moved by hand. */
export { keepRinging, passTime, SETTINGS } from './rehearsal.ts';

export { registerReach } from './terms/reach.ts';

export const room = { ...manifest, register };

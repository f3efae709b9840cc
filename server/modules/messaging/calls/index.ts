/**
 * Paid one-to-one calls. Submodules: terms (prices, hours), call (state machine and its transaction), clock
 * (heartbeats, metering), signalling (tokens, relay, SFU), history (lists and receipts). Depends on chat, sales and
 * presence.
 */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { countOpenCalls, countRunningCalls, findAdminCall } from './admin.ts';
export { findCall } from './call/access.ts';
export { SAMPLE_CALL_SETTINGS, simulateCallTime, simulateRinging } from './simulation.ts';

export { registerReachCheck } from './terms/reach.ts';

export const featureModule = { ...manifest, register };

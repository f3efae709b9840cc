/** The wallet: deposits through the card processor, tips, and everybody's view of their money. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

/** @public What an operator does about the processor: look at quarantined posts, decide on them, compare a day. */
export { quarantinedEvents } from './events-store.ts';
/** @public */
export { resolveEvent } from './process.ts';
/** @public */
export { type Difference, dataLinkOf, type Reconciliation, reconcileDay } from './reconcile.ts';
export { guardTips } from './tips.ts';

export const room = { ...manifest, register };

/** The wallet: deposits through the card processor, tips, and everybody's view of their money. */
import './events.ts';

export { quarantinedEvents } from './events-store.ts';
export { resolveEvent } from './process.ts';
export type { Difference, Reconciliation } from './reconcile.ts';
export { dataLinkOf, reconcileDay } from './reconcile.ts';
export { register } from './routes.ts';

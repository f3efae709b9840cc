/**
 * Transparency: the tamper-evident log of the money. Depends on every module whose rows it contains. No module uses it
 * to move money.
 */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { checkLog } from './check.ts';
export { type ProvenPlace, provePlaces } from './journal.ts';
export { checkLogNow } from './nightly.ts';
export { sequence } from './sequencer.ts';

export const room = { ...manifest, register };

/**
 * Transparency: the tamper-evident log of the money. Depends on every module whose rows it contains. No module uses it
 * to move money.
 */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { checkLog } from './check.ts';
export { createJournalProofs, type JournalProof } from './journal.ts';
export { checkLogNow } from './nightly-check.ts';
export { sequenceRows } from './sequencer.ts';

export const featureModule = { ...manifest, register };

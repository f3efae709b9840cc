/** Transparency: the log of the money. Above every room whose rows are in it; nobody calls it to move any. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { checkLog } from './check.ts';
export { type ProvenPlace, provePlaces } from './journal.ts';
export { checkLogNow } from './nightly.ts';
export { sequence } from './sequencer.ts';

export const room = { ...manifest, register };

/** Every kind of thing that people are told: which event tells it to whom, whether a day's are one line, its words, its place. A new one is an entry in `kinds/`. */
import { FOR_BOTH } from './kinds/both.ts';
import { FOR_CREATORS } from './kinds/creators.ts';
import { FOR_FANS } from './kinds/fans.ts';
import type { Kind } from './kinds/kind.ts';

export const KINDS: Readonly<Record<string, Kind>> = { ...FOR_FANS, ...FOR_CREATORS, ...FOR_BOTH };
/** Those of what was paid for. */
export const PAID = Object.keys(KINDS).filter((kind) => KINDS[kind]?.isPaid);
/** Those of which a day's are one line. */
export const GATHERED = Object.keys(KINDS).filter((kind) => KINDS[kind]?.isGathered);

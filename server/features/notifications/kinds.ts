/**
 * All kinds of notifications: their events and recipients, whether a day is grouped, their text and link. A new kind is
 * an entry in `kinds/`.
 */
import { FOR_BOTH } from './kinds/both.ts';
import { FOR_CREATORS } from './kinds/creators.ts';
import { FOR_FANS } from './kinds/fans.ts';
import type { Kind } from './kinds/kind.ts';

export const KINDS: Readonly<Record<string, Kind>> = { ...FOR_FANS, ...FOR_CREATORS, ...FOR_BOTH };
export const PAID = Object.keys(KINDS).filter((kind) => KINDS[kind]?.isPaid);
export const GATHERED = Object.keys(KINDS).filter((kind) => KINDS[kind]?.isGathered);

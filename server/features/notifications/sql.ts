/** Conditions that the list, its count and what is pushed have in common, for SQL of ids. */
import { apart } from '../blocks/index.ts';

/** Whether one of two people blocked the other, whichever of them is the creator. */
export const isApart = (one: string, other: string): string => `(${apart(one, other)} or ${apart(other, one)})`;

/** Whether a post is published, and neither deleted nor hidden. */
export const isPostShown = (id: string): string =>
  `exists (select from posts shown where shown.id = ${id} and shown.removed_at is null)`;

import { apart } from '../blocks/index.ts';

/** Whether one of two users blocked the other, whichever of them is the creator. */
export const isApart = (one: string, other: string): string => `(${apart(one, other)} or ${apart(other, one)})`;

export const isPostShown = (id: string): string =>
  `exists (select from posts shown where shown.id = ${id} and shown.removed_at is null)`;

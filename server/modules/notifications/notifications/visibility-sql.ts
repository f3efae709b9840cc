import { blockedPairSql } from '../../identity/blocks/index.ts';

/** Whether one of two users blocked the other, whichever of them is the creator. */
export const blockedEitherWaySql = (one: string, other: string): string =>
  `(${blockedPairSql(one, other)} or ${blockedPairSql(other, one)})`;

export const isPostShownSql = (id: string): string =>
  `exists (select from posts shown where shown.id = ${id} and shown.removed_at is null)`;

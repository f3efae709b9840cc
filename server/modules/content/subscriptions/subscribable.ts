/** What must be true before a fan gets a subscription, paid by themselves or by another fan. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { isSellerEligible } from './obstacles.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

/** Throws NOT_FOUND for creators that the fan may not know of, CONFLICT for those who cannot sell. */
export async function requireSubscribable(
  ctx: Context,
  tx: DbTransaction,
  fanId: UserId,
  creatorId: UserId,
): Promise<void> {
  requireNotGeoBlocked(creatorId);
  const blocked = await store.getBlockedAccounts(tx, { fan_id: fanId, creator_id: creatorId });
  if (blocked.creator || (await isBlockedPair(tx, fanId, creatorId))) throw new AppError('NOT_FOUND');
  if (!(await isSellerEligible(ctx, tx, creatorId)))
    throw new AppError('CONFLICT', { message: texts.creatorUnavailable });
}

/** Locks the fan's subscription to the creator if there is one. Throws the refusal if another request has just changed its tier. */
export async function lockCurrent(
  tx: DbTransaction,
  fanId: string,
  creatorId: string,
  createRefusal: () => AppError,
): Promise<store.SubscriptionRow | undefined> {
  const found = await store.findCurrent(tx, fanId, creatorId);
  const locked = found && (await store.lockSubscription(tx, found.id));
  if (locked?.end_reason === 'changed') throw createRefusal();
  return locked?.ended_at ? undefined : locked;
}

/** Whether it was canceled and its period is over, but the job has not ended it yet. */
export function hasLapsed(
  { is_renewing: isRenewing, paid_until: paidUntil }: store.SubscriptionRow,
  now: Date,
): boolean {
  return !isRenewing && paidUntil !== null && paidUntil <= now;
}

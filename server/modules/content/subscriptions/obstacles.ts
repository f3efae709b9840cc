/** Why a subscription cannot be charged, other than because of the fan's balance. */
import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { requireSellerEligible } from '../../commerce/sales/index.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { findRenewableTier } from '../subscription-tiers/index.ts';
import { isGiftPeriod } from './gift-periods.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

/** Whether a creator may sell. The reason is not revealed to the fan. */
export async function isSellerEligible(
  ctx: Pick<Context, 'hooks'>,
  tx: DbTransaction,
  creatorId: string,
): Promise<boolean> {
  try {
    await requireSellerEligible(ctx, tx, creatorId, { subject: texts.subscriptions });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_VERIFIED') return false;
    throw error;
  }
}

/** Returns the reason for which the subscription ends instead of renewing, or undefined. */
export async function findObstacle(
  ctx: Pick<Context, 'hooks'>,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  now: Date,
): Promise<SubscriptionEnd | undefined> {
  if (row.canceled_at) return 'canceled';
  if (!(await findRenewableTier(tx, row.tier_id))) return 'tierDeleted';
  if (!row.is_renewing) return isGiftPeriod(row) ? 'giftOver' : 'canceled';
  if (row.new_price_from && row.new_price_from <= now) return 'priceChange';
  const blocked = await store.getBlockedAccounts(tx, row);
  if (blocked.creator) return 'creatorUnavailable';
  if (blocked.fan || (await isBlockedPair(tx, row.fan_id, row.creator_id))) return 'blocked';
  return (await isSellerEligible(ctx, tx, row.creator_id)) ? undefined : 'creatorUnavailable';
}

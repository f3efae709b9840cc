import { type BillingOption, listBillingOptions } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { SubscriptionTierId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { toPrices } from './present.ts';
import { findTier } from './store.ts';

export type OfferedTier = {
  id: SubscriptionTierId;
  creatorId: UserId;
  name: string;
  isFree: boolean;
  options: readonly BillingOption[];
  trialDays: number | null;
};

/** A tier that exists, with its current terms. Whether it is open or has slots left is decided by `takeSlot`. */
export async function findOfferedTier(db: Executor, id: string): Promise<OfferedTier | undefined> {
  const row = await findTier(db, id);
  if (!row) return undefined;
  const options = listBillingOptions({ prices: toPrices(row), bundles: row.bundles });
  return {
    id: row.id,
    creatorId: row.creator_id,
    name: row.name,
    isFree: options.length === 0,
    options,
    trialDays: row.trial_days,
  };
}

/**
 * A subscription is a grant for its creator, which opens what all subscribers may see, and one for each included tier.
 */
import { RENEWAL_RETRY_HOURS } from '@stagedoor/contract/shared/limits.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { grantAccess, revokeAccess } from '../entitlements/index.ts';
import { listAllTierIds, listIncludedTierIds } from '../subscription-tiers/index.ts';
import type { SubscriptionRow } from './store.ts';

const HOUR_MS = 60 * 60_000;
const LAST_RETRY_MS = (RENEWAL_RETRY_HOURS.at(-1) ?? 0) * HOUR_MS;

/** The end of the last attempt to charge a failed renewal. Access lasts until then. */
export function getGraceEnd(paidUntil: Date): Date {
  return new Date(paidUntil.getTime() + LAST_RETRY_MS);
}

type GrantedSubscription = Pick<SubscriptionRow, 'fan_id' | 'creator_id' | 'tier_id' | 'paid_until' | 'is_renewing'>;

/** Opens the content until the period ends, and while a renewal may still be tried. */
export async function grantSubscription(tx: DbTransaction, row: GrantedSubscription, at: Date): Promise<void> {
  const until = row.paid_until && (row.is_renewing ? getGraceEnd(row.paid_until) : row.paid_until);
  for (const subjectId of [row.creator_id, ...(await listIncludedTierIds(tx, row.tier_id))])
    await grantAccess(tx, {
      fanId: row.fan_id,
      subjectId,
      source: 'subscription',
      grantedBy: row.creator_id,
      until,
      at,
    });
}

/** Also revokes grants of tiers that were included when the order was another. */
export async function revokeSubscription(
  tx: DbTransaction,
  row: Pick<SubscriptionRow, 'fan_id' | 'creator_id'>,
  at: Date,
): Promise<void> {
  for (const subjectId of [row.creator_id, ...(await listAllTierIds(tx, row.creator_id))])
    await revokeAccess(tx, { fanId: row.fan_id, subjectId, source: 'subscription', at });
}

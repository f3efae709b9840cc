/**
 * A subscription is a grant for its creator, which opens what all subscribers may see, and one for each included tier.
 */
import type { SubscriptionSettings } from '@stagedoor/contract/admin/subscription-settings.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { grantAccess, revokeAccess } from '../entitlements/index.ts';
import { listAllTierIds, listIncludedTierIds, loadSubscriptionSettings } from '../subscription-tiers/index.ts';
import type { SubscriptionRow } from './store.ts';

const HOUR_MS = 60 * 60_000;

/** The end of the last attempt to charge a failed renewal. Access lasts until then. */
export function getGraceEnd(paidUntil: Date, { graceHours }: Pick<SubscriptionSettings, 'graceHours'>): Date {
  return new Date(paidUntil.getTime() + graceHours * HOUR_MS);
}

/** When access ends: with the paid period, or with the last attempt to renew. Null for a free tier. */
async function findAccessEnd(tx: DbTransaction, row: GrantedSubscription): Promise<Date | null> {
  if (!row.paid_until || !row.is_renewing) return row.paid_until;
  return getGraceEnd(row.paid_until, await loadSubscriptionSettings(tx));
}

type GrantedSubscription = Pick<SubscriptionRow, 'fan_id' | 'creator_id' | 'tier_id' | 'paid_until' | 'is_renewing'>;

/** Opens the content until the period ends, and while a renewal may still be tried. */
export async function grantSubscription(
  tx: DbTransaction,
  row: GrantedSubscription,
  at: Date,
  accessEnd?: Date,
): Promise<void> {
  const until = accessEnd ?? (await findAccessEnd(tx, row));
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

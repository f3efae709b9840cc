/** What a deleted tier or another order of the tiers means for those who subscribe. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { revokeAccess } from '../entitlements/index.ts';
import { toSubscriptionEvent } from './events.ts';
import { grantSubscription } from './grants.ts';
import { changeNextRunning, changeRunning } from './running.ts';
import { stopRenewing } from './stopping.ts';
import * as store from './store.ts';

/** Stops the renewals of the next subscriptions of a deleted tier. Returns the cursor, or null at the end. */
export function stopDeletedTier(ctx: Context, tierId: string, after: string | null): Promise<string | null> {
  return changeNextRunning(ctx, { side: 'tier', ownerId: tierId, after }, async (tx, row) => {
    const wasRenewing = row.is_renewing;
    const at = ctx.clock.now();
    const hasStopped = await stopRenewing(tx, row, { reason: 'tierDeleted', at });
    if (!hasStopped || !wasRenewing || !row.paid_until || row.paid_until <= at) return;
    const view = await store.findView(tx, row.id);
    await tx.emit('subscription.tierDeleted', {
      ...toSubscriptionEvent(row),
      tierName: view?.tier_name ?? '',
      until: row.paid_until.toISOString(),
    });
  });
}

const PAGE_SIZE = 1_000;
/**
 * What was granted must be what the tier includes now. Grants of deleted tiers remain, because fans paid for them, and so
 * do those of subscriptions to a deleted tier.
 */
const LIST_PAGE: SqlStatement = {
  name: 'subscriptions-grants-page',
  text: `with page as (
      select s.id, s.fan_id, t.position from subscriptions s join subscription_tiers t on t.id = s.tier_id
      where s.creator_id = $1 and s.ended_at is null and t.deleted_at is null and ${afterIdSql('s.id', '$2')} order by s.id limit $3)
    select p.id, exists (
        select from subscription_tiers l left join entitlement_grants g
          on g.fan_id = p.fan_id and g.subject_id = l.id and g.source = 'subscription' and g.revoked_at is null
        where l.creator_id = $1 and l.deleted_at is null and (l.position <= p.position) is distinct from (g.fan_id is not null)
      ) as "isOutdated"
    from page p order by p.id`,
};
const LIST_HIGHER: SqlStatement = {
  name: 'subscriptions-higher-tiers',
  text: `select h.id from subscription_tiers t join subscription_tiers h on h.creator_id = t.creator_id and h.position > t.position
    where t.id = $1`,
};

async function updateGrants(ctx: Context, tx: DbTransaction, row: store.SubscriptionRow): Promise<void> {
  const at = ctx.clock.now();
  for (const { id } of await tx.run<{ id: string }>(LIST_HIGHER, [row.tier_id]))
    await revokeAccess(tx, { fanId: row.fan_id, subjectId: id, source: 'subscription', at });
  await grantSubscription(tx, row, at);
  await tx.emit('subscription.changed', toSubscriptionEvent(row));
}

/** Updates what the next subscriptions of a creator open. Returns the cursor, or null at the end. */
export async function updateCreatorGrants(
  ctx: Context,
  creatorId: string,
  after: string | null,
): Promise<string | null> {
  const rows = await ctx.db.run<{ id: string; isOutdated: boolean }>(LIST_PAGE, [creatorId, after, PAGE_SIZE]);
  for (const { id, isOutdated } of rows)
    if (isOutdated) await changeRunning(ctx, id, (tx, row) => updateGrants(ctx, tx, row));
  return rows.length < PAGE_SIZE ? null : (rows.at(-1)?.id ?? null);
}

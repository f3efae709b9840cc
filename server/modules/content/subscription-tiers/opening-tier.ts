import type { SubscriptionTierId } from '@stagedoor/contract/shared/ids.ts';
import type { Recurrence } from '@stagedoor/contract/shared/recurrence.ts';

export type OpeningTier = { tierId: SubscriptionTierId; name: string; priceCents: number; recurrence: Recurrence };

/** What a month of a tier costs. A week or a year is converted, rounded down to cents. Null for a free tier. */
export const CENTS_PER_MONTH = 'coalesce(t.monthly_cents, t.weekly_cents * 52 / 12, t.yearly_cents / 12)';

/**
 * The cheapest tier that opens a container and that fans can subscribe to now, as JSON text of {@link OpeningTier}, or
 * null. Tiers are compared by their price per month. A scalar subquery, which does not run without a container.
 * @param creator The SQL column with the creator's id.
 * @param container The SQL column with the creator's id, a tier's id or null.
 */
export const openingTierSql = (creator: string, container: string): string =>
  `case when ${container} is not null then (
    select json_build_object('tierId', t.id, 'name', t.name,
      'priceCents', coalesce(t.monthly_cents, t.weekly_cents, t.yearly_cents, 0), 'recurrence',
      case when t.monthly_cents is null and t.weekly_cents is not null then 'weekly'
        when t.monthly_cents is null and t.yearly_cents is not null then 'yearly' else 'monthaly' end)::text
    from subscription_tiers t
    where t.creator_id = ${creator} and t.deleted_at is null and t.is_open and (t.slots is null or t.subscriber_count < t.slots)
      and (${container} = ${creator} or t.position >= (select o.position from subscription_tiers o where o.id = ${container}))
    order by coalesce(${CENTS_PER_MONTH}, 0), t.position limit 1) end`;

import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

const TIERS: SqlStatement = {
  name: 'subscription-tiers-export',
  text: `select name, benefits, weekly_cents / 100.0 as "pricePerWeek", monthly_cents / 100.0 as "pricePerMonth",
      yearly_cents / 100.0 as "pricePerYear", bundles, trial_days as "trialDays", slots, is_open as "isOpen",
      welcome_message as "welcomeMessage",
      created_at as "createdAt", deleted_at as "deletedAt"
    from subscription_tiers where creator_id = $1 order by id`,
};

const OFFERS: SqlStatement = {
  name: 'subscription-offers-export',
  text: `select o.id, o.code, t.name as tier, o.percent_off as "percentOff", o.periods, o.audience, o.max_uses as "maxUses",
      o.use_count as "useCount", o.ends_at as "endsAt", o.created_at as "createdAt", o.closed_at as "closedAt"
    from subscription_offers o left join subscription_tiers t on t.id = o.tier_id
    where o.creator_id = $1 and ${afterIdSql('o.id', '$2')} order by o.id limit $3`,
};

export function registerTierExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'subscription-tiers',
    title: texts.subscriptionTiers,
    description: texts.exportDescription,
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ name: string }>(TIERS, [id]);
    },
  });
  registerExportPart(ctx, {
    name: 'subscription-offers',
    title: texts.subscriptionOffers,
    description: texts.offersExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<{ id: string }>((last, size) => db.run<{ id: string }>(OFFERS, [id, last?.id ?? null, size])),
  });
}

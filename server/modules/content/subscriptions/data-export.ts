import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

type ExportedSubscription = { id: string };
const SUBSCRIPTIONS: SqlStatement = {
  name: 'subscriptions-export',
  text: `select s.id, s.creator_id as "creatorId", u.username, t.name as tier, s.recurrence, s.recurrence_count as "recurrenceCount",
      s.price_cents / 100.0 as price, o.code as offer, s.discount_percent as "discountPercent",
      s.discount_periods_left as "discountPeriodsLeft", s.started_at as "startedAt", s.paid_until as "paidUntil",
      s.is_renewing as "isRenewing", s.payment_source as "paymentSource", s.canceled_at as "canceledAt", s.ended_at as "endedAt", s.end_reason as "endReason",
      g.username as "giftFrom",
      (select json_agg(json_build_object('from', p.starts_at, 'until', p.ends_at, 'price', p.price_cents / 100.0,
        'refunded', p.refunded_cents / 100.0) order by p.number) from subscription_periods p where p.subscription_id = s.id) as periods
    from subscriptions s join users u on u.id = s.creator_id join subscription_tiers t on t.id = s.tier_id
      left join users g on g.id = s.payer_id left join subscription_offers o on o.id = s.offer_id
    where s.fan_id = $1 and ${afterIdSql('s.id', '$2')} order by s.id limit $3`,
};

const GIVEN: SqlStatement = {
  name: 'subscriptions-export-given',
  text: `select s.id, s.creator_id as "creatorId", c.username as creator, u.username as recipient, t.name as tier, p.starts_at as from,
      p.ends_at as until, p.price_cents / 100.0 as price, p.refunded_cents / 100.0 as refunded
    from subscriptions s join users u on u.id = s.fan_id join users c on c.id = s.creator_id join subscription_tiers t on t.id = s.tier_id
      join subscription_periods p on p.subscription_id = s.id and p.number = 1
    where s.payer_id = $1 and ${afterIdSql('s.id', '$2')} order by s.id limit $3`,
};

export function registerSubscriptionExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'subscriptions',
    title: texts.subscriptions,
    description: texts.exportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<ExportedSubscription>((last, size) =>
        db.run<ExportedSubscription>(SUBSCRIPTIONS, [id, last?.id ?? null, size]),
      ),
  });
  registerExportPart(ctx, {
    name: 'given-subscriptions',
    title: texts.givenSubscriptions,
    description: texts.givenExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<ExportedSubscription>((last, size) =>
        db.run<ExportedSubscription>(GIVEN, [id, last?.id ?? null, size]),
      ),
  });
}

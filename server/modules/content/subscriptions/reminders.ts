/** Reminds fans of a charge, once per period. */
import type { PaymentSource } from '@stagedoor/contract/content/subscriptions.ts';
import { RENEWAL_REMINDER } from '@stagedoor/contract/shared/limits.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import './events.ts';
import { toNextChargeSql } from './next-price.ts';
import { getChargedCents } from './prices.ts';

const DAY_MS = 24 * 60 * 60_000;
const BATCH_SIZE = 200;
/** Trials that are shorter than the usual time before a charge get their reminder one day before their end. */
const SHORT_TRIAL_REMINDER_DAYS = 1;

/**
 * $1 is now. Charges that are due by $2 get a reminder, those of short trials by $3. $4 is the lowest price with a reminder. A higher price that the fan has not accepted ends
 * the subscription, so that reminder replaces the others. There is always a reminder of the first charge after a discount.
 */
const CLAIM_DUE: SqlStatement = {
  name: 'subscriptions-claim-reminders',
  text: `update subscriptions s set reminded_period = s.period_number
    where s.id in (select id from subscriptions d
        where (d.next_charge_at is null and d.due_at > $1 and d.due_at <= $2
            or d.next_charge_at > $1 and d.next_charge_at <= $2)
          and d.is_renewing and d.failed_attempts = 0 and d.reminded_period is distinct from d.period_number
          and (${toNextChargeSql('d', 'greatest(d.price_cents, d.agreed_price_cents)')} >= $4
            or d.discount_periods_left = 0 or d.recurrence = 'yearly' or d.recurrence_count = 12 or d.period_number = 0
            or d.new_price_from <= d.due_at)
          and (d.period_number > 0 or d.due_at <= $3 or d.anchor_at - d.started_at >= $2::timestamptz - $1::timestamptz)
        order by coalesce(d.next_charge_at, d.due_at) limit $5 for no key update skip locked)
    returning s.id as "subscriptionId", s.fan_id as "fanId", s.creator_id as "creatorId",
      coalesce(s.next_charge_at, s.due_at) as at,
      case when s.new_price_from <= s.due_at then 'newPrice' when s.period_number = 0 then 'trial'
        when s.discount_periods_left = 0 then 'fullPrice' else 'renewal' end as reminder,
      ${toNextChargeSql(
        's',
        `case when s.new_price_from <= s.due_at then s.new_price_cents
          when s.agreed_price_from <= s.due_at then s.agreed_price_cents else s.price_cents end`,
      )} as "priceCents", s.payment_source as "paymentSource"`,
};

type Claimed = {
  subscriptionId: string;
  fanId: string;
  creatorId: string;
  at: Date;
  reminder: EventPayload<'subscription.reminded'>['reminder'];
  priceCents: number;
  paymentSource: PaymentSource;
};

/** Safe to run in several processes at once. */
export async function remindFans(ctx: Context, signal?: AbortSignal): Promise<void> {
  const now = ctx.clock.now();
  const addDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  for (;;) {
    if (signal?.aborted) return;
    const count = await ctx.db.transaction(async (tx) => {
      const claimed = await tx.run<Claimed>(CLAIM_DUE, [
        now,
        addDays(RENEWAL_REMINDER.days),
        addDays(SHORT_TRIAL_REMINDER_DAYS),
        RENEWAL_REMINDER.minCents,
        BATCH_SIZE,
      ]);
      for (const { at, priceCents, ...reminder } of claimed)
        await tx.emit('subscription.reminded', {
          ...reminder,
          priceCents: getChargedCents({ payment_source: reminder.paymentSource }, priceCents),
          at: at.toISOString(),
        });
      return claimed.length;
    });
    if (count < BATCH_SIZE) return;
  }
}

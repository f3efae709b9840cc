import type { SubscriptionState } from '@stagedoor/contract/content/subscriptions.ts';
import {
  FIGURE_DAYS,
  type listSubscribers,
  SUBSCRIBER_ENDS,
  type Subscriber,
} from '@stagedoor/contract/finance/subscription-figures.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { isFree } from '../../content/entitlements/index.ts';
import { toAvatarUrl } from '../../identity/accounts/index.ts';
import * as store from './list-store.ts';

const DAY_MS = 86_400_000;

export const getNewFrom = ({ clock }: Pick<Context, 'clock'>) => new Date(clock.now().getTime() - FIGURE_DAYS * DAY_MS);

export function getState(row: store.SubscriberRow): SubscriptionState {
  if (row.ended_at) return 'ended';
  if (row.failed_attempts > 0) return 'pastDue';
  return row.paid_until && row.period_number === 0 ? 'trial' : 'active';
}

/** A block, a chargeback and a deleted account concern the fan and the platform, so the creator sees `other`. */
export function getEndReason({ end_reason: reason }: store.SubscriberRow): Subscriber['endReason'] {
  if (reason === null) return null;
  return SUBSCRIBER_ENDS.find((known) => known === reason) ?? 'other';
}

function presentSubscriber(row: store.SubscriberRow): Subscriber {
  return {
    id: row.id,
    fan: { id: row.fan_id, username: row.username, name: row.name, avatarUrl: toAvatarUrl(row.avatar_key) },
    tier: { id: row.tier_id, name: row.tier_name },
    recurrence: row.recurrence,
    count: row.recurrence_count,
    price: toUsd(row.price_cents),
    offerCode: row.offer_code,
    isFree: isFree(row.price_cents),
    state: getState(row),
    isRenewing: row.is_renewing,
    paymentSource: row.payment_source,
    isGift: row.payer_id !== null && row.period_number === 1,
    startedAt: row.started_at.toISOString(),
    canceledAt: row.canceled_at?.toISOString() ?? null,
    paidUntil: row.paid_until?.toISOString() ?? null,
    newPrice: row.new_price_cents === null ? null : toUsd(row.new_price_cents),
    paid: toUsd(row.paid_cents),
    endedAt: row.ended_at?.toISOString() ?? null,
    endReason: getEndReason(row),
  };
}

export function viewSubscribers(
  ctx: Context,
  creatorId: string,
  { limit, offset, filter, sort }: QueryOf<typeof listSubscribers>,
): Promise<ResponseInputOf<typeof listSubscribers>> {
  const newFrom = getNewFrom(ctx);
  const skip = parseSkip(offset);
  return ctx.db.snapshot(async (db) => {
    const sums = await store.sumSubscribers(db, creatorId, newFrom);
    const rows = await store.listSubscribers(db, creatorId, { filter, sort, skip, limit, newFrom });
    return {
      ...toOffsetPage(rows.map(presentSubscriber), { limit, skip, total: sums[filter].count }),
      counts: {
        all: sums.all.count,
        new: sums.new.count,
        trial: sums.trial.count,
        pastDue: sums.pastDue.count,
        canceled: sums.canceled.count,
        ended: sums.ended.count,
      },
      perMonth: filter === 'ended' ? 0 : toUsd(sums[filter].cents),
    };
  });
}

import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { FanHistory } from '../subscription-tiers/index.ts';
import * as store from './store.ts';
import { hasLapsed } from './subscribable.ts';

const USED_OFFERS: SqlStatement = {
  name: 'subscriptions-used-offers',
  text: 'select distinct offer_id as id from subscriptions where fan_id = $1 and creator_id = $2 and offer_id is not null',
};

/** Refunded subscriptions are part of the history. */
export async function getFanHistory(
  db: Executor,
  { fanId, creatorId, now }: { fanId: string; creatorId: string; now: Date },
): Promise<FanHistory> {
  const current = await store.findCurrent(db, fanId, creatorId);
  const used = await db.run<{ id: string }>(USED_OFFERS, [fanId, creatorId]);
  return {
    hasSubscribed: await store.hasSubscribedBefore(db, fanId, creatorId),
    isSubscribed: current !== undefined && !hasLapsed(current, now),
    usedOfferIds: used.map(({ id }) => id),
  };
}

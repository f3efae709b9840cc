import {
  listEndedSubscriptions,
  type Subscription,
  type SubscriptionEnd,
} from '@stagedoor/contract/content/subscriptions.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { joinIsolated } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import * as texts from './texts.ts';

const PAGE_SIZE = 10;

const REASONS: Readonly<Record<SubscriptionEnd, string>> = {
  canceled: texts.endedCanceled,
  giftOver: texts.endedGift,
  unpaid: texts.endedUnpaid,
  priceChange: texts.endedPriceChange,
  tierDeleted: texts.endedTierDeleted,
  creatorUnavailable: texts.endedCreatorUnavailable,
  blocked: texts.endedBlocked,
  changed: texts.endedChanged,
  refunded: texts.endedRefunded,
  chargeback: texts.endedChargeback,
  accountDeleted: texts.endedAccountDeleted,
  operator: texts.endedByOperator,
};

export const endedSubscriptionsQuery = () => apiInfiniteQuery(listEndedSubscriptions, { query: { limit: PAGE_SIZE } });

export function EndedRows({ subscriptions, now }: { subscriptions: readonly Subscription[]; now: string }) {
  return (
    <Rows closed>
      {subscriptions.map(({ id, creator, tier, endedAt, endReason }) => (
        <Row
          key={id}
          lead={<Avatar name={creator.name} src={creator.avatarUrl} />}
          title={creator.name}
          href={profilePath(creator.username)}
          sub={joinIsolated([tier.name, endReason && REASONS[endReason]], ' · ')}
          end={
            endedAt && (
              <span className="num text-small text-muted">
                {formatText(texts.endedOn, { day: formatShortDay(endedAt, now) })}
              </span>
            )
          }
        />
      ))}
    </Rows>
  );
}

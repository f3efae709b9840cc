import type { Subscriber } from '@stagedoor/contract/finance/subscription-figures.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { UserRow } from '../../../ui/card.tsx';
import { cx } from '../../../ui/class-names.ts';
import { formatAccess, formatPeriod, getStatus, PAYMENT_SOURCE_NAMES } from './labels.ts';
import * as texts from './texts.ts';

const GRID = 'lg:grid lg:grid-cols-[minmax(0,1fr)_96px_minmax(150px,200px)_140px_96px] lg:items-center lg:gap-4';

function SubscriberRow({ subscriber, now }: { subscriber: Subscriber; now: string }) {
  const { fan, offerCode, paid, startedAt, tier, isFree, paymentSource } = subscriber;
  const { text, indicator } = getStatus(subscriber, now);
  const since = formatShortDay(startedAt, now);
  const access = formatAccess(subscriber, now);
  return (
    <li className={cx('flex flex-wrap items-center gap-x-3 py-2', GRID)}>
      <div className="min-w-0 flex-1 basis-40">
        <UserRow
          name={fan.name}
          avatar={{ src: fan.avatarUrl }}
          sub={[
            isolateText(tier.name),
            formatPeriod(subscriber),
            ...(isFree ? [] : [PAYMENT_SOURCE_NAMES[paymentSource]]),
            ...(offerCode === null ? [] : [offerCode]),
          ].join(' · ')}
        />
      </div>
      <span className="num max-lg:hidden">{since}</span>
      <span className="max-lg:order-1 max-lg:basis-full max-lg:pl-14 max-lg:pb-1">
        <span className={cx('lamp max-w-full whitespace-normal', indicator)}>{text}</span>
        <span className="num text-small text-muted lg:hidden"> · {access}</span>
      </span>
      <span className="num max-lg:hidden">{access}</span>
      <span className="num flex-none text-right">
        <span className="block font-semibold">{formatUsd(paid)}</span>
        <span className="block text-small text-muted lg:hidden">{texts.paidInTotal}</span>
      </span>
    </li>
  );
}

export function SubscriberRows({ subscribers, now }: { subscribers: readonly Subscriber[]; now: string }) {
  return (
    <>
      <p className={cx('hidden pt-3 pb-2 text-small text-muted', GRID)} aria-hidden="true">
        <span>{texts.subscriber}</span>
        <span>{texts.since}</span>
        <span>{texts.status}</span>
        <span>{texts.access}</span>
        <span className="text-right">{texts.totalPaid}</span>
      </p>
      <ul className="rows rows--closed wraps max-lg:mt-3" aria-label={texts.subscribers}>
        {subscribers.map((subscriber) => (
          <SubscriberRow key={subscriber.id} {...{ subscriber, now }} />
        ))}
      </ul>
    </>
  );
}

import type { listSubscriptions } from '@stagedoor/contract/content/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatFutureDay, lowercaseDayWord } from '../../../platform/dates.ts';
import { StatCard, Stats } from '../../../ui/stat.tsx';
import * as texts from './texts.ts';

/** The next charge, and the sums per month and year. */
export function SubscriptionCosts({ list, now }: { list: ResponseOf<typeof listSubscriptions>; now: string }) {
  const next = list.data
    .flatMap(({ nextCharge, creator, paymentSource }) =>
      nextCharge ? [{ ...nextCharge, creatorName: creator.name, paymentSource }] : [],
    )
    .toSorted((a, b) => a.at.localeCompare(b.at))[0];
  return (
    <Stats label={texts.figures}>
      <StatCard
        name={
          next
            ? formatText(texts.nextChargeOn, { day: lowercaseDayWord(formatFutureDay(next.at, now)) })
            : texts.nextCharge
        }
        value={formatUsd(next?.amount ?? 0)}
        note={
          next
            ? formatText(next.paymentSource === 'card' ? texts.nextCardChargeNote : texts.nextChargeNote, {
                creatorName: isolateText(next.creatorName),
              })
            : texts.noNextCharge
        }
      />
      <StatCard name={texts.perMonth} value={formatUsd(list.perMonth)} note={texts.splitByMonth} />
      <StatCard name={texts.perYear} value={formatUsd(list.perYear)} note={texts.atTodaysPrices} />
    </Stats>
  );
}

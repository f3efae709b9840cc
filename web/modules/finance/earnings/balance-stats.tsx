import { getCreatorBalance, getSameTimeStats } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatDay, lowercaseDayWord } from '../../../platform/dates.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { StatCard, Stats } from '../../../ui/stat.tsx';
import * as texts from './texts.ts';

export const creatorBalanceQuery = () => apiQuery(getCreatorBalance, {});

/** Returns text such as "+$132.10 more than this time last week". */
export function formatWeekComparison(thisWeek: number, lastWeekSameTime: number): string {
  const difference = Math.round((thisWeek - lastWeekSameTime) * 100) / 100;
  if (difference === 0) return texts.sameAsLastWeek;
  return difference > 0
    ? formatText(texts.moreThanLastWeek, { difference: formatUsd(difference) })
    : formatText(texts.lessThanLastWeek, { difference: formatUsd(-difference) });
}

export function BalanceStats({ now }: { now: string }) {
  const { lastWeek } = useApi(getSameTimeStats, {});
  const { thisWeek, available, owed, pending, nextClearsAt } = useApi(getCreatorBalance, {});
  return (
    <Stats label={texts.earnings}>
      <StatCard
        name="This week"
        value={formatUsd(thisWeek)}
        note={formatWeekComparison(thisWeek, lastWeek)}
        noteMuted={false}
      />
      <StatCard
        name="Available"
        value={formatUsd(available)}
        note={owed > 0 ? formatText(texts.refundsOwed, { amount: formatUsd(owed) }) : texts.availableToPayOut}
      />
      <StatCard
        name="Pending"
        value={formatUsd(pending)}
        note={
          nextClearsAt
            ? formatText(texts.nextClearing, { time: lowercaseDayWord(formatDay(nextClearsAt, now)) })
            : texts.nothingPending
        }
      />
    </Stats>
  );
}

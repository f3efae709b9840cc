import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { creatorBalance, statsByNow } from '@stagedoor/contract/earnings.ts';
import { formatDay } from '../../kernel/dates.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { StatCard, Stats } from '../../ui/stat.tsx';

export const balanceQuery = () => apiQuery(creatorBalance, {});

function clearDay(iso: string, now: string): string {
  const day = formatDay(iso, now);
  return day === 'Today' ? 'today' : day;
}

/** Returns text such as "+$132.10 more than this time last week". */
export function comparedToLastWeek(thisWeek: number, lastWeekByNow: number): string {
  const difference = Math.round((thisWeek - lastWeekByNow) * 100) / 100;
  if (difference === 0) return 'Same as this time last week';
  return difference > 0
    ? `+${formatUsd(difference)} more than this time last week`
    : `${formatUsd(-difference)} less than this time last week`;
}

export function BalanceStats({ now }: { now: string }) {
  const { lastWeek } = useApi(statsByNow, {});
  const { thisWeek, available, owed, pending, nextClearsAt } = useApi(creatorBalance, {});
  return (
    <Stats label="Earnings">
      <StatCard
        name="This week"
        value={formatUsd(thisWeek)}
        note={comparedToLastWeek(thisWeek, lastWeek)}
        noteMuted={false}
      />
      <StatCard
        name="Available"
        value={formatUsd(available)}
        note={
          owed > 0 ? `${formatUsd(owed)} in refunds will be deducted from your next earnings` : 'Available to pay out'
        }
      />
      <StatCard
        name="Pending"
        value={formatUsd(pending)}
        note={nextClearsAt ? `Next clears ${clearDay(nextClearsAt, now)}` : 'Nothing pending'}
      />
    </Stats>
  );
}

import { getCreatorBalance, getSameTimeStats } from '@stagedoor/contract/finance/earnings.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatDay } from '../../../platform/dates.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { StatCard, Stats } from '../../../ui/stat.tsx';

export const creatorBalanceQuery = () => apiQuery(getCreatorBalance, {});

function formatClearDay(iso: string, now: string): string {
  const day = formatDay(iso, now);
  return day === 'Today' ? 'today' : day;
}

/** Returns text such as "+$132.10 more than this time last week". */
export function formatWeekComparison(thisWeek: number, lastWeekSameTime: number): string {
  const difference = Math.round((thisWeek - lastWeekSameTime) * 100) / 100;
  if (difference === 0) return 'Same as this time last week';
  return difference > 0
    ? `+${formatUsd(difference)} more than this time last week`
    : `${formatUsd(-difference)} less than this time last week`;
}

export function BalanceStats({ now }: { now: string }) {
  const { lastWeek } = useApi(getSameTimeStats, {});
  const { thisWeek, available, owed, pending, nextClearsAt } = useApi(getCreatorBalance, {});
  return (
    <Stats label="Earnings">
      <StatCard
        name="This week"
        value={formatUsd(thisWeek)}
        note={formatWeekComparison(thisWeek, lastWeek)}
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
        note={nextClearsAt ? `Next clears ${formatClearDay(nextClearsAt, now)}` : 'Nothing pending'}
      />
    </Stats>
  );
}

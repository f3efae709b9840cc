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

/** Returns text such as "+$132.10 more than last week by now". */
export function comparedToLastWeek(thisWeek: number, lastWeekByNow: number): string {
  const difference = Math.round((thisWeek - lastWeekByNow) * 100) / 100;
  if (difference === 0) return 'As much as last week by now';
  return difference > 0
    ? `+${formatUsd(difference)} more than last week by now`
    : `${formatUsd(-difference)} less than last week by now`;
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
        note={owed > 0 ? `${formatUsd(owed)} owed for refunds comes off what clears next` : 'Cleared'}
      />
      <StatCard
        name="Pending"
        value={formatUsd(pending)}
        note={nextClearsAt ? `Next clears ${clearDay(nextClearsAt, now)}` : 'Nothing to clear'}
      />
    </Stats>
  );
}

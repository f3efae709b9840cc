import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { clearingDays } from '@stagedoor/contract/earnings.ts';
import { formatComingDay } from '../../kernel/dates.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Table } from '../../ui/table.tsx';

export const clearingQuery = () => apiQuery(clearingDays, {});

const COLUMNS = [{ head: 'Pending by clearing date' }, { head: 'Sales' }, { head: 'You earn' }];

/**
 * @param most The number of days to show. The remaining days are combined into one row.
 * @param now An ISO timestamp.
 */
export function ClearingTable({ now, most = Number.POSITIVE_INFINITY }: { now: string; most?: number }) {
  const { data } = useApi(clearingDays, {});
  if (data.length === 0) return null;
  const sum = (days: typeof data) => ({
    count: days.reduce((all, { transactionCount }) => all + transactionCount, 0),
    amount: Math.round(days.reduce((all, { amount }) => all + amount, 0) * 100) / 100,
  });
  const cellsOf = (name: string, { count, amount }: ReturnType<typeof sum>) => [
    name,
    count.toLocaleString('en-US'),
    formatUsd(amount),
  ];
  const [shown, later] = [data.slice(0, most), data.slice(most)];
  const rows = shown.map((day) => ({ key: day.date, cells: cellsOf(formatComingDay(day.date, now), sum([day])) }));
  return (
    <Table
      caption="Pending by clearing date"
      columns={COLUMNS}
      rows={later.length > 0 ? [...rows, { key: 'later', cells: cellsOf('Later', sum(later)) }] : rows}
      foot={cellsOf('Pending', sum(data))}
    />
  );
}

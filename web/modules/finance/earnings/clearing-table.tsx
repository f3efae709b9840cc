import { listClearingDays } from '@stagedoor/contract/finance/earnings.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatFutureDay } from '../../../platform/dates.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { Table } from '../../../ui/table.tsx';

export const clearingDaysQuery = () => apiQuery(listClearingDays, {});

const COLUMNS = [{ head: 'Pending by clearing date' }, { head: 'Sales' }, { head: 'You earn' }];

/**
 * @param maxDays The number of days to show. The remaining days are combined into one row.
 * @param now An ISO timestamp.
 */
export function ClearingTable({ now, maxDays = Number.POSITIVE_INFINITY }: { now: string; maxDays?: number }) {
  const { data } = useApi(listClearingDays, {});
  if (data.length === 0) return null;
  const sumDays = (days: typeof data) => ({
    count: days.reduce((total, { transactionCount }) => total + transactionCount, 0),
    amount: Math.round(days.reduce((total, { amount }) => total + amount, 0) * 100) / 100,
  });
  const toCells = (name: string, { count, amount }: ReturnType<typeof sumDays>) => [
    name,
    count.toLocaleString('en-US'),
    formatUsd(amount),
  ];
  const [shown, later] = [data.slice(0, maxDays), data.slice(maxDays)];
  const rows = shown.map((day) => ({ key: day.date, cells: toCells(formatFutureDay(day.date, now), sumDays([day])) }));
  return (
    <Table
      caption="Pending by clearing date"
      columns={COLUMNS}
      rows={later.length > 0 ? [...rows, { key: 'later', cells: toCells('Later', sumDays(later)) }] : rows}
      foot={toCells('Pending', sumDays(data))}
    />
  );
}

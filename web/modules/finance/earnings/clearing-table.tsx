import { listClearingDays } from '@stagedoor/contract/finance/earnings.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatFutureDay } from '../../../platform/dates.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { Table } from '../../../ui/table.tsx';
import * as texts from './texts.ts';

export const clearingDaysQuery = () => apiQuery(listClearingDays, {});

const COLUMNS = [{ head: texts.pendingByClearingDate }, { head: texts.sales }, { head: texts.youEarn }];

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
      caption={texts.pendingByClearingDate}
      columns={COLUMNS}
      rows={later.length > 0 ? [...rows, { key: 'later', cells: toCells(texts.laterDates, sumDays(later)) }] : rows}
      foot={toCells(texts.pending, sumDays(data))}
    />
  );
}

/**
 * A statement as a table. The first column shows whether a row is a line, a balance or a total, so that programs can
 * read it.
 */
import { BOM, formatCsvAmount, formatCsvTime, toCsvRow, toSafeCell } from '../../../platform/csv.ts';
import {
  type KindTotal,
  listParts,
  type PrintedLine,
  type StatementBalance,
  type StatementSource,
  type StatementSummary,
} from './model.ts';
import * as texts from './texts.ts';

const SHARED_COLUMNS = [
  'Row',
  texts.dateUtcColumn,
  'Type',
  'Counterparty',
  'Details',
  'Gross',
  'Fee',
  'Net',
  'Balance',
];
const SALE_COLUMNS = [texts.clearsUtcColumn, texts.clearedUtcColumn, 'Refunded'];

const hasSales = ({ parts }: StatementBalance) => parts.pending !== undefined;
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function formatBalanceCells(balance: StatementBalance): string[] {
  return [balance.balanceCents, ...listParts(balance).map(([, cents]) => cents)].map(formatCsvAmount);
}

function formatSaleCells(balance: StatementBalance, sale: PrintedLine['sale']): string[] {
  if (!hasSales(balance)) return [];
  return [
    formatCsvTime(sale?.clearsAt),
    formatCsvTime(sale?.clearedAt),
    sale ? formatCsvAmount(sale.refundedCents) : '',
  ];
}

function formatBalanceRow(row: 'opening' | 'closing', day: string, balance: StatementBalance): string {
  const name = row === 'opening' ? texts.openingBalance : texts.closingBalance;
  return toCsvRow([
    row,
    day,
    name,
    '',
    '',
    '',
    '',
    '',
    ...formatBalanceCells(balance),
    ...formatSaleCells(balance, null),
    '',
  ]);
}

export function formatTableHead({ opening }: StatementSource, firstDay: string): string {
  const parts = listParts(opening).map(([part]) => capitalize(part));
  const names = [...SHARED_COLUMNS, ...parts, ...(hasSales(opening) ? SALE_COLUMNS : []), 'Transaction'];
  return BOM + toCsvRow(names) + formatBalanceRow('opening', firstDay, opening);
}

export function formatTableLines(lines: readonly PrintedLine[]): string {
  return lines
    .map((line) =>
      toCsvRow([
        'line',
        formatCsvTime(line.at),
        toSafeCell(line.kind),
        toSafeCell(line.counterparty),
        toSafeCell(line.detail),
        ...[line.grossCents, line.feeCents, line.netCents].map(formatCsvAmount),
        ...formatBalanceCells(line.after),
        ...formatSaleCells(line.after, line.sale),
        line.id,
      ]),
    )
    .join('');
}

function formatTotalRow({ kind, count, grossCents, feeCents, netCents }: KindTotal, closing: StatementBalance): string {
  const rest = [...formatBalanceCells(closing), ...formatSaleCells(closing, null), ''].map(() => '');
  return toCsvRow([
    'total',
    '',
    toSafeCell(kind),
    '',
    `${count} ${count === 1 ? 'transaction' : 'transactions'}`,
    ...[grossCents, feeCents, netCents].map(formatCsvAmount),
    ...rest,
  ]);
}

export function formatTableFoot({ closing }: StatementSource, lastDay: string, { totals }: StatementSummary): string {
  return formatBalanceRow('closing', lastDay, closing) + totals.map((total) => formatTotalRow(total, closing)).join('');
}

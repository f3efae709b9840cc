/**
 * A statement as a table. The first column says whether a row is a line, a balance or a total, so that programs can
 * read it.
 */
import { amountText, BOM, lineOf, said, timeText } from '../../kernel/spreadsheet.ts';
import { type Balance, type Line, partsIn, type Source, type Summary, type Total } from './model.ts';

const SHARED = ['Row', 'Date (UTC)', 'Type', 'Counterparty', 'Details', 'Gross', 'Fee', 'Net', 'Balance'];
const OF_SALES = ['Clears (UTC)', 'Cleared (UTC)', 'Refunded'];

const hasSales = ({ parts }: Balance) => parts.pending !== undefined;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function balanceCells(balance: Balance): string[] {
  return [balance.balanceCents, ...partsIn(balance).map(([, cents]) => cents)].map(amountText);
}

function saleCells(balance: Balance, sale: Line['sale']): string[] {
  if (!hasSales(balance)) return [];
  return [timeText(sale?.clearsAt), timeText(sale?.clearedAt), sale ? amountText(sale.givenBackCents) : ''];
}

function balanceRow(row: 'opening' | 'closing', day: string, balance: Balance): string {
  const name = row === 'opening' ? 'Opening balance' : 'Closing balance';
  return lineOf([row, day, name, '', '', '', '', '', ...balanceCells(balance), ...saleCells(balance, null), '']);
}

export function tableHead({ opening }: Source, firstDay: string): string {
  const parts = partsIn(opening).map(([part]) => capital(part));
  const names = [...SHARED, ...parts, ...(hasSales(opening) ? OF_SALES : []), 'Transaction'];
  return BOM + lineOf(names) + balanceRow('opening', firstDay, opening);
}

export function tableLines(lines: readonly Line[]): string {
  return lines
    .map((line) =>
      lineOf([
        'line',
        timeText(line.at),
        said(line.kind),
        said(line.who),
        said(line.detail),
        ...[line.grossCents, line.feeCents, line.netCents].map(amountText),
        ...balanceCells(line.after),
        ...saleCells(line.after, line.sale),
        line.id,
      ]),
    )
    .join('');
}

function totalRow({ kind, count, grossCents, feeCents, netCents }: Total, closing: Balance): string {
  const rest = [...balanceCells(closing), ...saleCells(closing, null), ''].map(() => '');
  return lineOf([
    'total',
    '',
    said(kind),
    '',
    `${count} ${count === 1 ? 'transaction' : 'transactions'}`,
    ...[grossCents, feeCents, netCents].map(amountText),
    ...rest,
  ]);
}

export function tableFoot({ closing }: Source, lastDay: string, { totals }: Summary): string {
  return balanceRow('closing', lastDay, closing) + totals.map((total) => totalRow(total, closing)).join('');
}

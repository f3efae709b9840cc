import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { TestUser } from '../../../testing/app.ts';

export type DayRange = { from: string; to: string };
export type TableRow = Readonly<Record<string, string>>;

/** Parses RFC 4180. Every row must have as many fields as the first one. */
export function parseTable(text: string): TableRow[] {
  const rows: string[][] = [[]];
  let field = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] ?? '';
    if (isQuoted) {
      if (letter !== '"') field += letter;
      else if (text[index + 1] === '"') {
        field += '"';
        index += 1;
      } else isQuoted = false;
    } else if (letter === '"' && field === '') isQuoted = true;
    else if (letter === ',') {
      rows.at(-1)?.push(field);
      field = '';
    } else if (letter === '\r' && text[index + 1] === '\n') {
      rows.at(-1)?.push(field);
      field = '';
      rows.push([]);
      index += 1;
    } else if (letter === '"' || letter === '\n' || letter === '\r')
      throw new Error(`a bare ${JSON.stringify(letter)}`);
    else field += letter;
  }
  if (rows.pop()?.length !== 0 || isQuoted) throw new Error('the last row does not end');
  const [names = [], ...cells] = rows;
  return cells.map((row) => {
    if (row.length !== names.length) throw new Error(`${row.length} fields and not ${names.length}`);
    return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
  });
}

/** Converts a cell to integer cents. Throws unless it has exactly two decimals. */
export function parseCell(cell: string | undefined): number {
  if (!cell || !/^-?\d+\.\d\d$/.test(cell)) throw new Error(`no amount: ${cell}`);
  return toCents(Number(cell));
}

export type TestOwner = { user: TestUser; side: 'customer' | 'creator' };

export function requestStatement({ user, side }: TestOwner, { from, to }: DayRange, format: 'csv' | 'pdf' = 'csv') {
  return user.inject('GET', `/api/${side}/statement?from=${from}&to=${to}&format=${format}`);
}

export async function downloadTable(owner: TestOwner, period: DayRange): Promise<TableRow[]> {
  const response = await requestStatement(owner, period);
  if (response.statusCode !== 200) throw new Error(response.body);
  const text = response.rawPayload.toString('utf8');
  if (!text.startsWith('\uFEFF')) throw new Error('no byte order mark');
  return parseTable(text.slice(1));
}

const PARTS = ['Pending', 'Available', 'Reserved', 'Owed'] as const;

export function findProblems(rows: readonly TableRow[]): string[] {
  const faults: string[] = [];
  const lines = rows.filter(({ Row }) => Row === 'line');
  const [opening, closing] = [rows[0], rows.find(({ Row }) => Row === 'closing')];
  if (opening?.Row !== 'opening' || !closing) return ['no opening or no closing balance'];
  let balance = parseCell(opening.Balance);
  const totals = new Map<string, number[]>();
  for (const line of lines) {
    const [gross = 0, fee = 0, net = 0] = [line.Gross, line.Fee, line.Net].map(parseCell);
    if (gross + fee !== net) faults.push(`${line.Transaction}: gross and fee are not net`);
    balance += net;
    if (parseCell(line.Balance) !== balance) faults.push(`${line.Transaction}: not the balance after it`);
    const sum = totals.get(line.Type ?? '') ?? [0, 0, 0, 0];
    totals.set(
      line.Type ?? '',
      [1, gross, fee, net].map((value, index) => value + (sum[index] ?? 0)),
    );
  }
  if (parseCell(closing.Balance) !== balance) faults.push('not the closing balance');
  for (const row of [opening, ...lines, closing]) {
    const [pending = 0, available = 0, reserved = 0, owed = 0] = PARTS.map((name) => parseCell(row[name] ?? '0.00'));
    if (pending + available + reserved - owed !== parseCell(row.Balance)) faults.push('parts are not the balance');
  }
  const totalRows = rows.filter(({ Row }) => Row === 'total');
  if (totalRows.length !== totals.size) faults.push('not one total a kind');
  for (const total of totalRows) {
    const sum = [Number.parseInt(total.Details ?? '', 10), ...[total.Gross, total.Fee, total.Net].map(parseCell)];
    if (String(sum) !== String(totals.get(total.Type ?? ''))) faults.push(`total of ${total.Type}`);
  }
  return faults;
}

import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { PRINTED_LINES } from '@stagedoor/contract/statements.ts';
import { type Balance, type Line, partsIn } from './model.ts';
import {
  type Box,
  type Document,
  draw,
  type Look,
  lineHeight,
  loadFaces,
  newDocument,
  PAPER,
  rule,
  wrap,
} from './page.ts';
import type { Printable } from './print.ts';

const OPERATOR = 'Stagedoor';
const LEFT = PAPER.margin;
const WIDTH = PAPER.width - 2 * PAPER.margin;
const BOTTOM = PAPER.height - PAPER.margin - PAPER.foot;
const TEXT: Look = { size: 8.5 };
const SMALL: Look = { size: 7.5, tone: 'muted' };
const STRONG: Look = { size: 8.5, weight: 'bold' };
const GAP = 8;

const AMOUNT = 66;
const COLUMNS = [
  { head: 'Date (UTC)', width: 78 },
  { head: 'Description', width: WIDTH - 78 - 4 * AMOUNT },
  { head: 'Gross', width: AMOUNT, align: 'right' },
  { head: 'Fee', width: AMOUNT, align: 'right' },
  { head: 'Net', width: AMOUNT, align: 'right' },
  { head: 'Balance', width: AMOUNT, align: 'right' },
] as const;

type Text = { text: string; look: Look; most?: number };
type Cell = readonly Text[];
type Structure = ReturnType<Document['struct']>;

const one = (text: string, look: Look): Cell => [{ text, look }];
const money = (cents: number) => formatCents(cents);
const signed = (cents: number) => formatCents(cents, { sign: true });
const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

const statement: Printable = workerData;
const isEarnings = statement.side === 'earnings';
const route = isEarnings ? '/api/creator/statement' : '/api/customer/statement';
const tableUrl = `${statement.publicUrl}${route}?from=${statement.from}&to=${statement.to}&format=csv`;
const title = isEarnings ? 'Earnings statement' : 'Wallet statement';
const logUrl = `${statement.publicUrl}/.well-known/stagedoor-ledger/checkpoint`;

const alwaysSaid = isEarnings ? ['pending', 'available'] : [];

function partsText(balance: Balance): string {
  const parts = partsIn(balance).filter(([, cents]) => cents !== 0);
  if (!isEarnings && parts.every(([part]) => part === 'available')) return '';
  return partsIn(balance)
    .filter(([part, cents]) => cents !== 0 || alwaysSaid.includes(part))
    .map(([part, cents]) => `${part} ${money(part === 'owed' ? -cents : cents)}`)
    .join(', ');
}

function movedText(line: Line): string {
  const moved = partsIn(line).filter(([, cents]) => cents !== 0);
  const usual = isEarnings ? 'pending' : 'available';
  if (moved.every(([part]) => part === usual)) return '';
  const words = moved.map(([part, cents]) => `${part} ${signed(cents)}`).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function saleText({ sale }: Line): string {
  if (!sale) return '';
  const cleared = sale.clearedAt ? `Available since ${minute(sale.clearedAt)}` : `Clears ${minute(sale.clearsAt)}`;
  return sale.givenBackCents > 0 ? `${cleared}, ${money(sale.givenBackCents)} refunded` : cleared;
}

function cellsOf(line: Line): Cell[] {
  const what: Cell = [
    { text: [line.kind, line.who].filter(Boolean).join(' · '), look: STRONG },
    ...[line.detail, saleText(line), movedText(line)].filter(Boolean).map((text) => ({ text, look: SMALL })),
  ];
  const amounts = [line.grossCents, line.feeCents, line.netCents].map((cents) => one(signed(cents), TEXT));
  return [one(minute(line.at), TEXT), what, ...amounts, one(money(line.after.balanceCents), TEXT)];
}

function balanceCells(day: string, name: string, balance: Balance): Cell[] {
  const what: Cell = [
    { text: name, look: STRONG },
    ...[partsText(balance)].filter(Boolean).map((text) => ({ text, look: SMALL })),
  ];
  return [one(day, TEXT), what, [], [], [], one(money(balance.balanceCents), STRONG)];
}

function restCells(): Cell[][] {
  const { summary, lines, closing, opening } = statement;
  const rest = summary.count - lines.length;
  if (rest === 0) return [];
  const moved = closing.balanceCents - (lines.at(-1)?.after ?? opening).balanceCents;
  const words = `PDF statements show up to ${PRINTED_LINES.toLocaleString('en-US')} transactions. Download the CSV for all: ${tableUrl}`;
  const what: Cell = [
    { text: `${rest.toLocaleString('en-US')} more transactions`, look: STRONG },
    { text: words, look: SMALL, most: 9 },
  ];
  return [[[], what, [], [], one(signed(moved), TEXT), one(money(closing.balanceCents), TEXT)]];
}

function totalCells(): Cell[][] {
  return statement.summary.totals.map(({ kind, count, grossCents, feeCents, netCents }) => [
    one(count.toLocaleString('en-US'), TEXT),
    one(kind, STRONG),
    ...[grossCents, feeCents, netCents].map((cents) => one(signed(cents), TEXT)),
    [],
  ]);
}

const doc = newDocument({
  title: `${OPERATOR}: ${title}, ${statement.from} to ${statement.to}`,
  author: OPERATOR,
  madeAt: statement.madeAt,
});
const root = doc.struct('Document');
doc.addStructure(root);
let y: number = PAPER.height;

function newPage(): void {
  doc.addPage();
  y = PAPER.margin;
}

function ensure(height: number): boolean {
  if (y + height <= BOTTOM) return false;
  newPage();
  return true;
}

function paragraph(tag: 'H1' | 'H2' | 'P', text: string, look: Look, space = 0): void {
  const lines = wrap(doc, text, WIDTH, look, 6);
  ensure(lines.length * lineHeight(look) + space);
  y += space;
  const top = y;
  root.add(
    doc.struct(tag, {}, () => {
      for (const [index, line] of lines.entries())
        draw(doc, line, { x: LEFT, y: top + index * lineHeight(look), width: WIDTH }, look);
    }),
  );
  y += lines.length * lineHeight(look);
}

function roomOf(column: (typeof COLUMNS)[number]): number {
  return 'align' in column ? column.width : column.width - GAP;
}

function linesOf(cell: Cell, column: (typeof COLUMNS)[number]): Text[] {
  return cell.flatMap(({ text, look, most = 3 }) =>
    wrap(doc, text, roomOf(column), look, most).map((line) => ({ text: line, look })),
  );
}

const heightOf = (lines: readonly Text[]) => lines.reduce((sum, { look }) => sum + lineHeight(look), 0);

function drawCell(lines: readonly Text[], box: Box, align: 'left' | 'right'): void {
  let top = box.y;
  for (const { text, look } of lines) {
    draw(doc, text, { ...box, y: top }, { ...look, align });
    top += lineHeight(look);
  }
}

function drawRow(table: Structure, cells: readonly (readonly Text[])[], height: number, tag: 'TH' | 'TD'): void {
  const row = doc.struct('TR');
  table.add(row);
  let x = LEFT;
  for (const [index, column] of COLUMNS.entries()) {
    const align = 'align' in column ? column.align : 'left';
    const box = { x, y, width: roomOf(column) };
    row.add(doc.struct(tag, {}, () => drawCell(cells[index] ?? [], box, align)));
    x += column.width;
  }
  row.end();
  y += height;
}

function drawTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const table = doc.struct('Table');
  root.add(table);
  const headRow = heads.map((head) => [{ text: head, look: { ...SMALL, weight: 'bold' as const } }]);
  const headHeight = lineHeight(SMALL) + 5;
  const drawHead = () => {
    drawRow(table, headRow, headHeight, 'TH');
    rule(doc, y - 2);
    y += 3;
  };
  ensure(headHeight + 40);
  drawHead();
  for (const cells of rows) {
    const lines = COLUMNS.map((column, index) => linesOf(cells[index] ?? [], column));
    const height = Math.max(...lines.map(heightOf)) + 6;
    if (ensure(height)) drawHead();
    drawRow(table, lines, height, 'TD');
  }
  table.end();
}

function drawFeet(): void {
  const { start, count } = doc.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    const box = { x: LEFT, y: PAPER.height - PAPER.margin - 8, width: WIDTH };
    doc.markContent('Artifact', { type: 'Pagination' });
    draw(doc, `${OPERATOR} · @${statement.person.username} · ${statement.from} to ${statement.to}`, box, SMALL);
    draw(doc, `Page ${index + 1} of ${count}`, box, { ...SMALL, align: 'right' });
    doc.endMarkedContent();
  }
}

function compose(): void {
  const { person, from, to, madeAt, opening, closing, lines } = statement;
  newPage();
  paragraph('P', OPERATOR, { size: 10, weight: 'bold' });
  paragraph('H1', title, { size: 22, weight: 'bold' }, 4);
  paragraph('P', `${person.name} (@${person.username})`, { size: 11, weight: 'bold' }, 10);
  paragraph('P', `${from} to ${to} (inclusive, UTC). Amounts in US dollars.`, { size: 9 }, 2);
  paragraph('P', `Generated ${minute(madeAt)} UTC.`, { size: 9 }, 2);
  paragraph('H2', 'Totals by type', { size: 13, weight: 'bold' }, 18);
  y += 6;
  drawTable(
    ['Transactions', 'Type', 'Gross', 'Fee', 'Net', 'Balance'],
    [balanceCells('', 'Opening balance', opening), ...totalCells(), balanceCells('', 'Closing balance', closing)],
  );
  paragraph('H2', 'Transactions', { size: 13, weight: 'bold' }, 18);
  y += 6;
  const rows = [
    balanceCells(from, 'Opening balance', opening),
    ...lines.map(cellsOf),
    ...restCells(),
    balanceCells(to, 'Closing balance', closing),
  ];
  drawTable(
    COLUMNS.map(({ head }) => head),
    rows,
  );
  paragraph(
    'P',
    `Every transaction is recorded in a tamper-evident log. Signed checkpoints: ${logUrl}. ` +
      `Proofs for your transactions: ${statement.publicUrl}/api/wallet/journal.`,
    SMALL,
    16,
  );
}

await loadFaces(doc, [
  'The faces of every statement: Ŕ ắ',
  statement.person.name,
  ...statement.lines.flatMap(({ kind, who, detail }) => [kind, who, detail]),
  ...statement.summary.totals.map(({ kind }) => kind),
]);
const chunks: Buffer[] = [];
doc.on('data', (chunk: Buffer) => chunks.push(chunk));
compose();
drawFeet();
root.end();
const ended = once(doc, 'end');
doc.end();
await ended;
parentPort?.postMessage(new Uint8Array(Buffer.concat(chunks)));

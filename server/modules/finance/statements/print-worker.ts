import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { PRINTED_LINES_MAX } from '@stagedoor/contract/finance/statements.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { listParts, type PrintedLine, type StatementBalance } from './model.ts';
import {
  type Box,
  createDocument,
  drawPdfText,
  drawRule,
  getLineHeight,
  loadFaces,
  PAPER,
  type PdfDocument,
  type PdfTextStyle,
  wrapText,
} from './pdf-page.ts';
import type { PrintableStatement } from './print.ts';
import * as texts from './texts.ts';

const BRAND = 'Stagedoor';
const LEFT = PAPER.margin;
const WIDTH = PAPER.width - 2 * PAPER.margin;
const BOTTOM = PAPER.height - PAPER.margin - PAPER.foot;
const TEXT: PdfTextStyle = { size: 8.5 };
const SMALL: PdfTextStyle = { size: 7.5, tone: 'muted' };
const STRONG: PdfTextStyle = { size: 8.5, weight: 'bold' };
const GAP = 8;

const AMOUNT = 66;
const COLUMNS = [
  { head: texts.dateUtcColumn, width: 78 },
  { head: 'Description', width: WIDTH - 78 - 4 * AMOUNT },
  { head: 'Gross', width: AMOUNT, align: 'right' },
  { head: 'Fee', width: AMOUNT, align: 'right' },
  { head: 'Net', width: AMOUNT, align: 'right' },
  { head: 'Balance', width: AMOUNT, align: 'right' },
] as const;

type StyledText = { text: string; style: PdfTextStyle; maxLines?: number };
type Cell = readonly StyledText[];
type Structure = ReturnType<PdfDocument['struct']>;

const toCell = (text: string, style: PdfTextStyle): Cell => [{ text, style }];
const formatMoney = (cents: number) => formatCents(cents);
const formatSigned = (cents: number) => formatCents(cents, { sign: true });
const formatTime = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

const statement: PrintableStatement = workerData;
const isEarnings = statement.side === 'earnings';
const route = isEarnings ? '/api/creator/statement' : '/api/customer/statement';
const tableUrl = `${statement.publicUrl}${route}?from=${statement.from}&to=${statement.to}&format=csv`;
const title = isEarnings ? texts.earningsStatement : texts.walletStatement;
const logUrl = `${statement.publicUrl}/.well-known/stagedoor-ledger/checkpoint`;

const alwaysShown = isEarnings ? ['pending', 'available'] : [];

function formatParts(balance: StatementBalance): string {
  const parts = listParts(balance).filter(([, cents]) => cents !== 0);
  if (!isEarnings && parts.every(([part]) => part === 'available')) return '';
  return listParts(balance)
    .filter(([part, cents]) => cents !== 0 || alwaysShown.includes(part))
    .map(([part, cents]) => `${part} ${formatMoney(part === 'owed' ? -cents : cents)}`)
    .join(', ');
}

function formatMovement(line: PrintedLine): string {
  const moved = listParts(line).filter(([, cents]) => cents !== 0);
  const usual = isEarnings ? 'pending' : 'available';
  if (moved.every(([part]) => part === usual)) return '';
  const text = moved.map(([part, cents]) => `${part} ${formatSigned(cents)}`).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function formatSaleDates({ sale }: PrintedLine): string {
  if (!sale) return '';
  const cleared = sale.clearedAt
    ? formatText(texts.availableSince, { date: formatTime(sale.clearedAt) })
    : formatText(texts.clearsOn, { date: formatTime(sale.clearsAt) });
  return sale.refundedCents > 0
    ? formatText(texts.partlyRefunded, { clearingStatus: cleared, refund: formatMoney(sale.refundedCents) })
    : cleared;
}

function toCells(line: PrintedLine): Cell[] {
  const what: Cell = [
    { text: [line.kind, line.counterparty].filter(Boolean).join(' · '), style: STRONG },
    ...[line.detail, formatSaleDates(line), formatMovement(line)]
      .filter(Boolean)
      .map((text) => ({ text, style: SMALL })),
  ];
  const amounts = [line.grossCents, line.feeCents, line.netCents].map((cents) => toCell(formatSigned(cents), TEXT));
  return [toCell(formatTime(line.at), TEXT), what, ...amounts, toCell(formatMoney(line.after.balanceCents), TEXT)];
}

function toBalanceCells(day: string, name: string, balance: StatementBalance): Cell[] {
  const what: Cell = [
    { text: name, style: STRONG },
    ...[formatParts(balance)].filter(Boolean).map((text) => ({ text, style: SMALL })),
  ];
  return [toCell(day, TEXT), what, [], [], [], toCell(formatMoney(balance.balanceCents), STRONG)];
}

function toRemainderCells(): Cell[][] {
  const { summary, lines, closing, opening } = statement;
  const rest = summary.count - lines.length;
  if (rest === 0) return [];
  const moved = closing.balanceCents - (lines.at(-1)?.after ?? opening).balanceCents;
  const text = formatText(texts.printedLinesLimitHint, {
    maxCount: PRINTED_LINES_MAX.toLocaleString('en-US'),
    csvUrl: tableUrl,
  });
  const what: Cell = [
    { text: formatText(texts.moreTransactions, { count: rest.toLocaleString('en-US') }), style: STRONG },
    { text, style: SMALL, maxLines: 9 },
  ];
  return [[[], what, [], [], toCell(formatSigned(moved), TEXT), toCell(formatMoney(closing.balanceCents), TEXT)]];
}

function toTotalCells(): Cell[][] {
  return statement.summary.totals.map(({ kind, count, grossCents, feeCents, netCents }) => [
    toCell(count.toLocaleString('en-US'), TEXT),
    toCell(kind, STRONG),
    ...[grossCents, feeCents, netCents].map((cents) => toCell(formatSigned(cents), TEXT)),
    [],
  ]);
}

const doc = createDocument({
  title: formatText(texts.documentTitle, { brand: BRAND, title, startDate: statement.from, endDate: statement.to }),
  author: BRAND,
  madeAt: statement.madeAt,
});
const root = doc.struct('Document');
doc.addStructure(root);
let y: number = PAPER.height;

function addPage(): void {
  doc.addPage();
  y = PAPER.margin;
}

function ensureSpace(height: number): boolean {
  if (y + height <= BOTTOM) return false;
  addPage();
  return true;
}

function addParagraph(tag: 'H1' | 'H2' | 'P', text: string, style: PdfTextStyle, space = 0): void {
  const lines = wrapText(doc, text, WIDTH, style, 6);
  ensureSpace(lines.length * getLineHeight(style) + space);
  y += space;
  const top = y;
  root.add(
    doc.struct(tag, {}, () => {
      for (const [index, line] of lines.entries())
        drawPdfText(doc, line, { x: LEFT, y: top + index * getLineHeight(style), width: WIDTH }, style);
    }),
  );
  y += lines.length * getLineHeight(style);
}

function getTextWidth(column: (typeof COLUMNS)[number]): number {
  return 'align' in column ? column.width : column.width - GAP;
}

function wrapCell(cell: Cell, column: (typeof COLUMNS)[number]): StyledText[] {
  return cell.flatMap(({ text, style, maxLines = 3 }) =>
    wrapText(doc, text, getTextWidth(column), style, maxLines).map((line) => ({ text: line, style })),
  );
}

const measureHeight = (lines: readonly StyledText[]) => lines.reduce((sum, { style }) => sum + getLineHeight(style), 0);

function drawCell(lines: readonly StyledText[], box: Box, align: 'left' | 'right'): void {
  let top = box.y;
  for (const { text, style } of lines) {
    drawPdfText(doc, text, { ...box, y: top }, { ...style, align });
    top += getLineHeight(style);
  }
}

function drawRow(table: Structure, cells: readonly (readonly StyledText[])[], height: number, tag: 'TH' | 'TD'): void {
  const row = doc.struct('TR');
  table.add(row);
  let x = LEFT;
  for (const [index, column] of COLUMNS.entries()) {
    const align = 'align' in column ? column.align : 'left';
    const box = { x, y, width: getTextWidth(column) };
    row.add(doc.struct(tag, {}, () => drawCell(cells[index] ?? [], box, align)));
    x += column.width;
  }
  row.end();
  y += height;
}

function drawTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const table = doc.struct('Table');
  root.add(table);
  const headRow = heads.map((head) => [{ text: head, style: { ...SMALL, weight: 'bold' as const } }]);
  const headHeight = getLineHeight(SMALL) + 5;
  const drawHead = () => {
    drawRow(table, headRow, headHeight, 'TH');
    drawRule(doc, y - 2);
    y += 3;
  };
  ensureSpace(headHeight + 40);
  drawHead();
  for (const cells of rows) {
    const lines = COLUMNS.map((column, index) => wrapCell(cells[index] ?? [], column));
    const height = Math.max(...lines.map(measureHeight)) + 6;
    if (ensureSpace(height)) drawHead();
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
    drawPdfText(
      doc,
      formatText(texts.pageFooter, {
        brand: BRAND,
        username: statement.user.username,
        startDate: statement.from,
        endDate: statement.to,
      }),
      box,
      SMALL,
    );
    drawPdfText(doc, formatText(texts.pageProgress, { page: index + 1, count }), box, { ...SMALL, align: 'right' });
    doc.endMarkedContent();
  }
}

function compose(): void {
  const { user, from, to, madeAt, opening, closing, lines } = statement;
  addPage();
  addParagraph('P', BRAND, { size: 10, weight: 'bold' });
  addParagraph('H1', title, { size: 22, weight: 'bold' }, 4);
  addParagraph('P', `${user.name} (@${user.username})`, { size: 11, weight: 'bold' }, 10);
  addParagraph('P', formatText(texts.periodAndCurrency, { startDate: from, endDate: to }), { size: 9 }, 2);
  addParagraph('P', formatText(texts.generatedAt, { time: formatTime(madeAt) }), { size: 9 }, 2);
  addParagraph('H2', texts.totalsByType, { size: 13, weight: 'bold' }, 18);
  y += 6;
  drawTable(
    ['Transactions', 'Type', 'Gross', 'Fee', 'Net', 'Balance'],
    [
      toBalanceCells('', texts.openingBalance, opening),
      ...toTotalCells(),
      toBalanceCells('', texts.closingBalance, closing),
    ],
  );
  addParagraph('H2', 'Transactions', { size: 13, weight: 'bold' }, 18);
  y += 6;
  const rows = [
    toBalanceCells(from, texts.openingBalance, opening),
    ...lines.map(toCells),
    ...toRemainderCells(),
    toBalanceCells(to, texts.closingBalance, closing),
  ];
  drawTable(
    COLUMNS.map(({ head }) => head),
    rows,
  );
  addParagraph(
    'P',
    formatText(texts.tamperEvidentLogHint, { logUrl }) +
      `Proofs for your transactions: ${statement.publicUrl}/api/wallet/journal.`,
    SMALL,
    16,
  );
}

await loadFaces(doc, [
  'The faces of every statement: Ŕ ắ',
  statement.user.name,
  ...statement.lines.flatMap(({ kind, counterparty, detail }) => [kind, counterparty, detail]),
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

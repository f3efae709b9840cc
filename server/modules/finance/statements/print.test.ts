import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import { type PrintedLine, toStatementBalance } from './model.ts';
import { type PrintableStatement, printStatement } from './print.ts';

const wallet = (available: number, owed = 0) => toStatementBalance({ available, owed });
const AT = new Date('2026-02-01T10:00:00Z');

function line(index: number, more: Partial<PrintedLine> = {}): PrintedLine {
  const balanceCents = 1_000_00 - (index + 1) * 100;
  return {
    id: String(index),
    at: AT,
    kind: 'Tip',
    counterparty: 'Inês (@ines)',
    detail: 'on profile',
    grossCents: -100,
    feeCents: 0,
    netCents: -100,
    parts: { available: -100, owed: 0 },
    sale: null,
    after: wallet(balanceCents),
    ...more,
  };
}

function printable(lines: PrintedLine[], count = lines.length): PrintableStatement {
  const net = -100 * count;
  return {
    side: 'wallet',
    user: { name: 'Ştefan Nguyễn', username: 'stefan' },
    from: '2026-02-01',
    to: '2026-02-28',
    madeAt: AT,
    publicUrl: 'https://stage.example',
    opening: wallet(1_000_00),
    closing: wallet(1_000_00 + net),
    lines,
    summary: { count, totals: [{ kind: 'Tip', count, grossCents: net, feeCents: 0, netCents: net }] },
  };
}

async function read(bytes: Uint8Array) {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await loading.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')).join(''));
  }
  const { info } = await document.getMetadata();
  const tree = await (await document.getPage(1)).getStructTree();
  await loading.destroy();
  return { pages, info, tags: JSON.stringify(tree) };
}

describe('a printed statement', () => {
  test('contains owner, period, every line, the totals and where to verify it', async () => {
    const { pages, info, tags } = await read(await printStatement(printable([line(0), line(1)])));
    const [page = ''] = pages;
    for (const phrase of [
      'Wallet statement',
      'Ştefan Nguyễn (@stefan)',
      '2026-02-01 to 2026-02-28',
      'Generated 2026-02-01 10:00 UTC',
      'Opening balance',
      'Tip · Inês (@ines)',
      '−$1.00',
      '$999.00',
      '$998.00',
      'Closing balance',
      '−$2.00',
      'https://stage.example/.well-known/stagedoor-ledger/checkpoint',
      'Page 1 of 1',
    ])
      expect(page).toContain(phrase);
    expect(info).toMatchObject({ Title: 'Stagedoor: Wallet statement, 2026-02-01 to 2026-02-28' });
    for (const tag of ['H1', 'H2', 'Table', 'TR', 'TH', 'TD']) expect(tags).toContain(`"role":"${tag}"`);
  });

  test('keeps amounts of millions on one line, with their signs', async () => {
    const large = { grossCents: 987_654_321, feeCents: -123_456_789, netCents: 864_197_532 };
    const { pages } = await read(await printStatement(printable([line(0, { ...large, after: wallet(964_197_532) })])));
    for (const sum of ['+$9,876,543.21', '−$1,234,567.89', '+$8,641,975.32', '$9,641,975.32'])
      expect(pages[0]).toContain(sum);
  });

  test('shows the parts of a balance when something is owed', async () => {
    const owed = line(0, { kind: 'Owed', parts: { available: 0, owed: 100 }, after: wallet(0, 100) });
    const { pages } = await read(await printStatement({ ...printable([owed]), closing: wallet(0, 100) }));
    for (const phrase of ['Owed +$1.00', 'owed −$1.00']) expect(pages[0]).toContain(phrase);
  });

  test('draws names in every script and fails on no input', async () => {
    const names = [
      'Дмитрий',
      '日本語の名前',
      'محمد',
      '한국',
      'नमस्ते',
      'Łódź',
      '😀',
      'a\u0000\u202Eb\uD83D',
      '\u{10FFFF}',
      'x'.repeat(300),
    ];
    const { pages } = await read(
      await printStatement(
        printable(names.map((counterparty, index) => line(index, { counterparty, detail: counterparty }))),
      ),
    );
    for (const name of ['Дмитрий', '日本語の名前', 'محمد', '한국', 'Łódź', '😀'])
      expect(pages.join(' ')).toContain(name);
  });

  test('repeats the table head, numbers its pages and sums up the lines that it omits', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => line(index));
    const { pages } = await read(await printStatement(printable(lines, 500)));
    expect(pages.length).toBeGreaterThan(3);
    for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    for (const page of pages.slice(0, -1)) expect(page).toContain('Balance');
    const text = pages.join(' ');
    expect(text).toContain('380 more transactions');
    expect(text).toContain('−$380.00');
    expect(text.replaceAll(' ', '')).toContain(
      'https://stage.example/api/customer/statement?from=2026-02-01&to=2026-02-28&format=csv',
    );
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../platform/database/db.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { buildReversalFields, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createPaidDeposit, requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { clearDue, sumInflows } from '../../ledger/ledger/index.ts';
import { createWalletReader, readEarnings } from './read.ts';
import { writeStatement } from './service.ts';
import { downloadTable, findProblems, parseCell, requestStatement, type TableRow } from './testing.ts';

const DAY_MS = 86_400_000;
const START = new Date('2026-01-30T23:00:00Z');
const YEAR = { from: '2026-01-01', to: '2026-12-31' };
const JANUARY = { from: '2026-01-01', to: '2026-01-31' };
const FEBRUARY = { from: '2026-02-01', to: '2026-02-28' };

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
const fans = (user = fan) => ({ user, side: 'customer' }) as const;
const creators = (user = creator) => ({ user, side: 'creator' }) as const;

async function tip(amount: number, note = ''): Promise<string> {
  app.clock.advance(1_000);
  const response = await fan.inject(
    'POST',
    `/api/tip/customer-send/${creator.id}`,
    { type: 'profile', amount, note },
    { 'idempotency-key': randomUUID() },
  );
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<{ transactionId: string }>().transactionId;
}

function refundPart(saleId: string, grossCents?: number) {
  app.clock.advance(1_000);
  return app.ctx.db.transaction((tx) =>
    refundSale(tx, {
      saleId,
      actorId: creator.id,
      operationId: randomUUID(),
      at: app.clock.now(),
      ...(grossCents !== undefined && { grossCents }),
    }),
  );
}

const listLines = (rows: readonly TableRow[]) => rows.filter(({ Row }) => Row === 'line');
const findRow = (rows: readonly TableRow[], name: string) => rows.find(({ Row }) => Row === name);

beforeAll(async () => {
  app = await createTestApp({ now: START });
  fan = await app.signUp('customer', { name: '=cmd|calc' });
  creator = await app.signUp('creator', { name: 'Inês "Nê" Valadão, 日本' });
  const { saleId } = await createPaidDeposit(app, fan, 300);
  app.clock.advance(60_000);
  const early = await tip(20, '=HYPERLINK("http://x")\n+1');
  app.clock.advance(2 * 3_600_000);
  const late = await tip(30, 'Thanks;=1+1');
  await refundPart(early, 500);
  await sumInflows(app.ctx.db);
  app.clock.advance(8 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
  app.clock.advance(60_000);
  await refundPart(late);
  await tip(1, '@SUM(A1)');
  await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '102.00'));
});
afterAll(() => app.close());

test('a statement uses one database connection, so that concurrent statements never deadlock', async () => {
  const db = openDatabase(app.databaseUrl, { maxConnections: 1 });
  try {
    const statements = [createWalletReader(app.ctx), readEarnings].map((read, index) =>
      writeStatement(db, read, { userId: [fan.id, creator.id][index] ?? '' }, { ...YEAR, format: 'csv' }),
    );
    for (const { bytes, body } of await Promise.all(statements)) {
      let size = 0;
      for await (const part of body) size += part.length;
      expect([size > 200, size]).toEqual([true, bytes]);
    }
  } finally {
    await db.close();
  }
});

describe('a statement', () => {
  test('of a fan has every line, adds up by itself and equals the wallet', async () => {
    const rows = await downloadTable(fans(), YEAR);
    expect(findProblems(rows)).toEqual([]);
    expect(listLines(rows).map((row) => [row.Type, row.Gross, row.Fee, row.Net, row.Balance])).toEqual([
      ['Deposit', '306.00', '-6.00', '300.00', '300.00'],
      ['Tip', '-20.00', '0.00', '-20.00', '280.00'],
      ['Tip', '-30.00', '0.00', '-30.00', '250.00'],
      ['Refund', '5.00', '0.00', '5.00', '255.00'],
      ['Refund', '30.00', '0.00', '30.00', '285.00'],
      ['Tip', '-1.00', '0.00', '-1.00', '284.00'],
      ['Refund to your card', '-102.00', '2.00', '-100.00', '184.00'],
    ]);
    const wallet = (await fan.inject('GET', '/api/customer/wallet')).json<{ available: number }>();
    expect(findRow(rows, 'closing')?.Balance).toBe(wallet.available.toFixed(2));
  });

  test('of a creator shows what cleared, was refunded and is owed', async () => {
    const rows = await downloadTable(creators(), YEAR);
    expect(findProblems(rows)).toEqual([]);
    expect(listLines(rows).map((row) => [row.Type, row.Gross, row.Fee, row.Net, row.Balance])).toEqual([
      ['Tip', '20.00', '-2.00', '18.00', '18.00'],
      ['Tip', '30.00', '-3.00', '27.00', '45.00'],
      ['Refund', '-5.00', '0.50', '-4.50', '40.50'],
      ['Cleared', '0.00', '0.00', '0.00', '40.50'],
      ...(listLines(rows)[4]?.Type === 'Refund'
        ? [
            ['Refund', '-30.00', '3.00', '-27.00', '13.50'],
            ['Moved back to pending', '0.00', '0.00', '0.00', '13.50'],
          ]
        : [
            ['Moved back to pending', '0.00', '0.00', '0.00', '40.50'],
            ['Refund', '-30.00', '3.00', '-27.00', '13.50'],
          ]),
      ['Tip', '1.00', '-0.10', '0.90', '14.40'],
    ]);
    const [early, late] = listLines(rows);
    expect([early?.Refunded, late?.Refunded]).toEqual(['5.00', '30.00']);
    expect(early?.['Cleared (UTC)']).toMatch(/^2026-02-08 /);
    const balance = (await creator.inject('GET', '/api/creator/balance')).json();
    const closing = findRow(rows, 'closing');
    expect([closing?.Pending, closing?.Available, closing?.Owed].map((cell) => parseCell(cell) / 100)).toEqual([
      balance.pending,
      balance.available,
      balance.owed,
    ]);
  });

  test('ends where the next one begins, at midnight UTC', async () => {
    for (const owner of [fans(), creators()]) {
      const [january, february, year] = [
        await downloadTable(owner, JANUARY),
        await downloadTable(owner, FEBRUARY),
        await downloadTable(owner, YEAR),
      ];
      expect([...findProblems(january), ...findProblems(february)]).toEqual([]);
      expect(findRow(february, 'opening')?.Balance).toBe(findRow(january, 'closing')?.Balance);
      expect([...listLines(january), ...listLines(february)]).toEqual(listLines(year));
      expect(listLines(january).every((row) => row['Date (UTC)']?.startsWith('2026-01-3'))).toBe(true);
    }
  });

  test('is a table in which a spreadsheet runs no formula', async () => {
    const response = await requestStatement(creators(), YEAR);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="stagedoor-earnings-2026-01-01-to-2026-12-31.csv"',
      'cache-control': 'no-store',
      'content-length': String(response.rawPayload.length),
    });
    const rows = await downloadTable(creators(), YEAR);
    expect(rows[1]?.Counterparty).toMatch(/^'=cmd\|calc/);
    const texts = rows.flatMap((row) => [row.Type, row.Counterparty, row.Details]);
    expect(texts.filter((text) => /(^|[;\t]\s*)[=+\-@\t\r]/.test(text ?? ''))).toEqual([]);
    expect(texts.join(' ')).toContain("Thanks;'=1+1");
    expect((await downloadTable(fans(), YEAR))[2]?.Counterparty).toContain('Inês "Nê" Valadão, 日本');
  });

  test('is available as a PDF to users who may have it', async () => {
    const response = await requestStatement(creators(), FEBRUARY, 'pdf');
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="stagedoor-earnings-2026-02-01-to-2026-02-28.pdf"',
      'content-length': String(response.rawPayload.length),
    });
    expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await requestStatement({ user: fan, side: 'creator' }, YEAR)).statusCode).toBe(403);
  });

  test('is made one at a time per user, and users do not block each other', async () => {
    const crowd = await Promise.all(Array.from({ length: 2 }, () => app.signUp('customer')));
    const responses = [fans(), fans(), ...crowd.map(fans)].map((owner) => requestStatement(owner, YEAR, 'pdf'));
    const [one, again, ...others] = (await Promise.all(responses)).map(({ statusCode }) => statusCode);
    expect([one, again].toSorted()).toEqual([200, 429]);
    expect(others).toEqual([200, 200]);
    expect((await requestStatement(fans(), YEAR)).statusCode).toBe(200);
  });

  test('contains only the user’s own money and refuses invalid periods', async () => {
    const others = [fans(await app.signUp('customer')), creators(await app.signUp('creator'))];
    for (const owner of others) expect(await downloadTable(owner, YEAR)).toHaveLength(2);
    for (const [from, to] of [
      ['2026-02-01', '2026-01-31'],
      ['2026-02-30', '2026-03-01'],
      ['0001-01-01', '2026-01-01'],
      ['x', 'y'],
    ] as const)
      expect((await requestStatement(fans(), { from, to })).statusCode).toBe(400);
    await requireCleanLedger(app);
  });
});

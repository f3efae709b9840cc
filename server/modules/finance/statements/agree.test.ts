/** Property test over random histories: everything that shows a creator's or fan's money must agree with the ledger. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { chargeFanNow, refundSale } from '../../commerce/sales/index.ts';
import {
  clearDue,
  recordChargebackWin,
  reverseChargebackWin,
  reverseDeposit,
  sumInflows,
  writeOffDebt,
} from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { sequenceRows } from '../../trust/transparency-log/index.ts';
import { downloadTable, findProblems, parseCell, type TableRow } from './testing.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-03-01T20:00:00Z');
const PERIOD = { from: '2026-01-01', to: '2026-12-31' };
const PARTS = [
  { from: '2026-01-01', to: '2026-03-05' },
  { from: '2026-03-06', to: '2026-12-31' },
];

type Step =
  | { does: 'sell'; cents: number; isPost: boolean }
  | { does: 'refundSale'; nth: number; part: number }
  | { does: 'wait'; hours: number; isCleared: boolean }
  | { does: 'pay' | 'reverseDeposit'; cents: number }
  | { does: 'win' | 'unwin' | 'writeOff' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('sell' as const),
      cents: fc.integer({ min: 1, max: 9_999 }),
      isPost: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('refundSale' as const),
      nth: fc.nat(),
      part: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      hours: fc.integer({ min: 1, max: 120 }),
      isCleared: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('pay' as const, 'reverseDeposit' as const),
      cents: fc.integer({ min: 1, max: 30_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('win' as const, 'unwin' as const, 'writeOff' as const) }) },
);

const EMPTIED: Step[] = [
  { does: 'reverseDeposit', cents: 30_000 },
  { does: 'sell', cents: 5_000, isPost: false },
  { does: 'sell', cents: 9_900, isPost: true },
  { does: 'sell', cents: 718, isPost: true },
  { does: 'reverseDeposit', cents: 15_900 },
  { does: 'wait', hours: 100, isCleared: false },
  { does: 'win' },
  { does: 'unwin' },
  { does: 'pay', cents: 5_000 },
  { does: 'writeOff' },
  { does: 'pay', cents: 100 },
];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: START });
});
afterAll(() => app.close());

type World = {
  fan: TestUser;
  creator: TestUser;
  sold: { id: string; cents: number }[];
  deposits: string[];
  chargebacks: string[];
};

async function bank(
  world: World,
  each: Extract<Step, { does: 'pay' | 'reverseDeposit' | 'win' | 'unwin' | 'writeOff' }>,
) {
  const { fan, deposits, chargebacks } = world;
  const { db } = app.ctx;
  const [at, ref] = [app.clock.now(), randomUUID()];
  const chargebackId = chargebacks.at(-1) ?? '';
  if (each.does === 'pay') deposits.push(await createDeposit(db, fan.id, each.cents, { feeCents: 7, at }));
  else if (each.does === 'reverseDeposit') {
    const reversal = { kind: 'chargeback', cardCents: each.cents, provider: 'ccbill', ref, eventKey: ref, at } as const;
    const depositTransactionId = deposits[each.cents % deposits.length] ?? '';
    const reversed = await db.transaction((tx) => reverseDeposit(tx, { ...reversal, depositTransactionId }));
    if (reversed.transactionId !== null) chargebacks.push(reversed.transactionId);
  } else if (each.does === 'writeOff') await db.transaction((tx) => writeOffDebt(tx, fan.id, at));
  else if (chargebackId !== '')
    await db.transaction((tx) =>
      (each.does === 'win' ? recordChargebackWin : reverseChargebackWin)(tx, chargebackId, at),
    );
}

async function sell({ fan, creator, sold }: World, { cents, isPost }: Extract<Step, { does: 'sell' }>): Promise<void> {
  const { transactionId } = await chargeFanNow(app.ctx.db, {
    kind: isPost ? 'post' : 'tip',
    fanId: fan.id,
    creatorId: creator.id,
    grossCents: cents,
    operationId: randomUUID(),
    at: app.clock.now(),
    ...(isPost && { subjectId: randomUUID() }),
  });
  sold.push({ id: transactionId, cents });
}

async function refundPart(
  { creator, sold }: World,
  { nth, part }: Extract<Step, { does: 'refundSale' }>,
): Promise<void> {
  const sale = sold[nth % Math.max(1, sold.length)];
  if (!sale) return;
  const request = { saleId: sale.id, actorId: creator.id, operationId: randomUUID(), at: app.clock.now() };
  const grossCents = Math.ceil((sale.cents * part) / 100);
  await app.ctx.db
    .transaction((tx) => refundSale(tx, { ...request, grossCents }))
    .catch((error: Error) => {
      if (!error.message.startsWith('Nothing is left')) throw error;
    });
}

async function performStep(world: World, each: Step): Promise<void> {
  app.clock.advance(1_000);
  if (each.does === 'sell') await sell(world, each);
  else if (each.does === 'refundSale') await refundPart(world, each);
  else if (each.does !== 'wait')
    await bank(world, each).catch((error: Error) => {
      if (!('code' in error) || error.code !== 'CONFLICT') throw error;
    });
  else {
    app.clock.advance(each.hours * HOUR_MS);
    if (each.isCleared) await clearDue(app.ctx.db, app.clock.now());
    else await sumInflows(app.ctx.db, 3);
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + Math.round(value * 100), 0);

type Shown = {
  id: string;
  gross: number;
  net: number;
  netAfterRefunds: number;
  refunded: number;
  clearedAt: string | null;
  clearsAt: string;
};

async function read<T>(user: TestUser, path: string): Promise<T> {
  const response = await user.inject('GET', `/api${path}`);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<T>();
}

type Moved = { id: string; amount: number; owed: number; balance: number };

async function requireSameHistory(fan: TestUser, rows: readonly TableRow[]): Promise<void> {
  const moved: Moved[] = [];
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const path = `/customer/transaction-history?limit=7&offset=${offset}`;
    const page: { data: Moved[]; nextOffset?: string; totalCount: number } = await read(fan, path);
    moved.push(...page.data);
    offset = page.nextOffset;
    if (offset === undefined) expect(page.totalCount).toBe(moved.length);
  }
  const lines = rows.filter(({ Row }) => Row === 'line').toReversed();
  expect(moved.map(({ id, amount, balance }) => [id, amount.toFixed(2), balance.toFixed(2)])).toEqual(
    lines.map(({ Transaction, Net, Balance }) => [Transaction, Net, Balance]),
  );
  expect(sum(moved.map(({ owed }) => owed))).toBe(parseCell(rows.find(({ Row }) => Row === 'closing')?.Owed));
  for (const { id, amount, balance } of moved)
    expect(await read(fan, `/transactions/${id}`)).toMatchObject({ id, amount, balance });
  await sequenceRows(app.ctx);
  const logged: string[] = [];
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const page: { data: { data: string }[]; nextOffset?: string } = await read(
      fan,
      `/wallet/journal?limit=50&offset=${offset}`,
    );
    logged.push(...page.data.map(({ data }) => JSON.parse(data.slice(32)).body.id));
    offset = page.nextOffset;
  }
  expect(logged).toEqual(expect.arrayContaining(moved.map(({ id }) => id)));
}

async function requireAgreement({ fan, creator }: World): Promise<void> {
  const rows = await downloadTable({ user: creator, side: 'creator' }, PERIOD);
  const spent = await downloadTable({ user: fan, side: 'customer' }, PERIOD);
  expect([...findProblems(rows), ...findProblems(spent)]).toEqual([]);
  for (const [owner, whole] of [
    [{ user: creator, side: 'creator' }, rows],
    [{ user: fan, side: 'customer' }, spent],
  ] as const) {
    const parts = [];
    for (const period of PARTS) parts.push(...(await downloadTable(owner, period)));
    expect(parts.filter(({ Row }) => Row === 'line')).toEqual(whole.filter(({ Row }) => Row === 'line'));
  }
  const { data: list } = await read<{ data: Shown[] }>(creator, '/creator/earnings?limit=50');
  const balance = await read<{ pending: number; available: number; owed: number; nextClearsAt: string | null }>(
    creator,
    '/creator/balance',
  );
  const stats = await read<{ earnings: { total: number }; transactions: { total: number } }>(creator, '/creator/stats');
  const chart = await read<{ data: { totalEarnings: number }[] }>(creator, '/creator/chart?period=yearly');
  const closing = rows.find(({ Row }) => Row === 'closing');
  const net = sum(list.map((each) => each.netAfterRefunds));
  expect(parseCell(closing?.Balance)).toBe(net);
  expect([closing?.Pending, closing?.Available, closing?.Owed].map(parseCell)).toEqual(
    [balance.pending, balance.available, balance.owed].map((usd) => sum([usd])),
  );
  expect([stats.earnings.total, sum(chart.data.map(({ totalEarnings }) => totalEarnings)) / 100]).toEqual([
    net / 100,
    net / 100,
  ]);
  expect(stats.transactions.total).toBe(list.length);

  const lines = new Map(rows.map((row) => [row.Transaction, row]));
  for (const sale of list) {
    const line = lines.get(sale.id);
    expect([line?.Gross, line?.Net, line?.Refunded].map(parseCell)).toEqual(
      [sale.gross, sale.net, sale.refunded].map((usd) => sum([usd])),
    );
    expect(line?.['Cleared (UTC)']).toBe(sale.clearedAt?.slice(0, 19).replace('T', ' ') ?? '');
    const receipt = await read<{ amount: number; lines: { label: string; value: string }[] }>(
      creator,
      `/transactions/${sale.id}`,
    );
    expect(receipt.amount).toBe(sale.netAfterRefunds);
    const refundLine = receipt.lines.find(({ label }) => label === 'Refunded')?.value;
    expect(refundLine ?? '$0.00').toBe(`$${sale.refunded.toFixed(2)}`);
  }
  const waiting = list.filter(
    (sale) => sale.clearedAt === null && sale.netAfterRefunds > 0 && sale.clearsAt > app.clock.now().toISOString(),
  );
  expect(balance.nextClearsAt).toBe(waiting.map(({ clearsAt }) => clearsAt).toSorted()[0] ?? null);

  const wallet = await read<{ available: number; owed: number }>(fan, '/customer/wallet');
  const end = spent.find(({ Row }) => Row === 'closing');
  expect([end?.Balance, end?.Available, end?.Owed].map(parseCell)).toEqual(
    [wallet.available - wallet.owed, wallet.available, wallet.owed].map((usd) => sum([usd])),
  );
  await requireSameHistory(fan, spent);
  const refunded = spent
    .filter(({ Row, Type }) => Row === 'line' && Type === 'Refund')
    .map(({ Net }) => parseCell(Net));
  expect(refunded.reduce((total, cents) => total + cents, 0)).toBe(sum(list.map((each) => each.refunded)));
}

test('all views of money agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), async (steps) => {
      app.clock.set(START);
      const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
      const world: World = { fan, creator, sold: [], deposits: [], chargebacks: [] };
      world.deposits.push(await createDeposit(app.ctx.db, fan.id, 45_000, { feeCents: 900, at: app.clock.now() }));
      for (const each of steps)
        await performStep(world, each).catch((error: Error) => {
          if (!/daily spending limit|Not enough funds|[Ss]pending is paused/.test(error.message)) throw error;
        });
      await requireAgreement(world);
    }),
    { numRuns: 12, examples: [[EMPTIED]] },
  );
  await requireCleanLedger(app);
}, 120_000);

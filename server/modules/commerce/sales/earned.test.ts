import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, clearDue, postTransaction, sumInflows } from '../../ledger/ledger/index.ts';
import {
  addEarnings,
  captureFunds,
  chargeFanNow,
  getEarningsBalance,
  getSalesChart,
  holdFunds,
  listPaymentsByFan,
  listPendingByDay,
  listSalesForCreator,
  listTopEarners,
  setCreatorFee,
} from './index.ts';
import { addDays, createTipCharge, createUnlockCharge, runRefund } from './testing.ts';

const money = setUpMoneyTest();
const MINUTE = 60_000;
const EDGES = [
  '2026-03-01T00:00:00.000Z',
  '2027-12-31T23:59:59.999Z',
  '2028-01-01T00:00:00.000Z',
  '2028-02-28T23:59:59.999Z',
  '2028-02-29T00:00:00.000Z',
  '2028-02-29T23:59:59.999Z',
  '2028-03-01T00:00:00.000Z',
].map((text) => new Date(text));

async function createCall(fanId: string, creatorId: string, grossCents: number, at: Date): Promise<string> {
  const made = await money.db.transaction(async (tx) => {
    const expiresAt = new Date(at.getTime() + MINUTE);
    const hold = { fanId, amountCents: grossCents + 100, purpose: 'test', operationId: randomUUID() };
    const { id } = await holdFunds(tx, { ...hold, expiresAt, at });
    return captureFunds(tx, { kind: 'call', holdId: id, creatorId, subjectId: null, grossCents, at });
  });
  if (!made) throw new Error('not captured');
  return made.transactionId;
}

type Row = Record<'id' | 'kind' | 'fan_id' | 'day', string> &
  Record<'gross_cents' | 'fee_cents' | 'reversed_cents' | 'reversed_fee_cents', number> & {
    clears_at: Date;
    is_cleared: boolean;
  };

async function listSales(creator: string): Promise<Row[]> {
  const { rows } = await money.db.pool.query<Row>(
    `select s.*, (s.created_at at time zone 'UTC')::date::text as day,
      exists (select from ledger_clearings c where c.transaction_id = s.id) as is_cleared from sales s where creator_id = $1`,
    [creator],
  );
  return rows;
}

const getNet = (row: Row) => row.gross_cents - row.reversed_cents - (row.fee_cents - row.reversed_fee_cents);
const getFee = (row: Row) => row.fee_cents - row.reversed_fee_cents;
const sum = (rows: readonly Row[], toCents: (row: Row) => number) => rows.reduce((all, row) => all + toCents(row), 0);

it('charts, lists and clearing days equal the sales at any time', async () => {
  const creator = await money.creator();
  const fans = [await money.fan(300_000), await money.fan(300_000)];
  await money.db.transaction((tx) =>
    setCreatorFee(tx, creator, { generalPercent: 17.35, offerPercent: null, offerUntil: null }),
  );
  const made: string[] = [];
  for (const [index, at] of EDGES.flatMap((edge) => [edge, edge, edge, edge]).entries()) {
    const fan = fans[index % 3 === 0 ? 1 : 0] ?? '';
    const cents = 301 + index * 37;
    const bought = [
      () =>
        chargeFanNow(money.db, { ...createTipCharge(fan, creator, cents), at }).then(
          ({ transactionId }) => transactionId,
        ),
      () =>
        chargeFanNow(money.db, { ...createUnlockCharge(fan, creator, randomUUID(), cents), at }).then(
          (sale) => sale.transactionId,
        ),
      () =>
        chargeFanNow(money.db, { ...createUnlockCharge(fan, creator, randomUUID(), cents), kind: 'chat', at }).then(
          (sale) => sale.transactionId,
        ),
      () => createCall(fan, creator, cents, at),
    ][index % 4];
    made.push((await bought?.()) ?? '');
    if (index % 5 === 4) await runRefund(money.db, made[index - 3] ?? '', 77, new Date(at.getTime() + MINUTE));
    if (index % 7 === 6) await runRefund(money.db, made[index - 1] ?? '', undefined, new Date(at.getTime() + MINUTE));
    if (index === 13) await sumInflows(money.db);
  }

  const expectChartToMatchSales = async () => {
    const rows = await listSales(creator);
    expect(rows).toHaveLength(made.length);
    for (const at of EDGES)
      for (const period of ['weekly', 'monthly', 'yearly'] as const)
        for (const { key, kinds, ...point } of await getSalesChart(money.db, creator, period, at)) {
          const ofPeriod = rows.filter(({ day }) => day.startsWith(key));
          const expected = { netCents: sum(ofPeriod, getNet), feeCents: sum(ofPeriod, getFee), count: ofPeriod.length };
          expect([period, key, point]).toEqual([period, key, expected]);
          expect(addEarnings(kinds.values())).toEqual(expected);
          for (const [kind, earned] of kinds) {
            const ofKind = ofPeriod.filter((row) => row.kind === kind);
            const parts = { netCents: sum(ofKind, getNet), feeCents: sum(ofKind, getFee), count: ofKind.length };
            expect([period, key, kind, earned]).toEqual([period, key, kind, parts]);
          }
        }
    return rows;
  };
  const rows = await expectChartToMatchSales();
  await sumInflows(money.db);
  await expectChartToMatchSales();

  for (const [from, to] of [
    ['2027-12-31', '2027-12-31'],
    ['2028-02-29', '2028-02-29'],
    ['2028-01-01', undefined],
    [undefined, '2028-02-28'],
  ] as const)
    for (const kind of [undefined, 'call']) {
      const page = await listSalesForCreator(money.db, creator, { from, to, kind, limit: 50 });
      const expected = rows.filter(
        (row) => (!from || row.day >= from) && (!to || row.day <= to) && (!kind || row.kind === kind),
      );
      expect(new Set(page.sales.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
      expect([from, to, kind, page.totalCount]).toEqual([from, to, kind, expected.length]);
    }

  const payments = await listPaymentsByFan(money.db, creator, [...fans, creator]);
  expect(payments.map(({ id, cents }) => [id, cents]).sort()).toEqual(
    fans
      .map((fan) => [
        fan,
        sum(
          rows.filter((row) => row.fan_id === fan),
          (row) => row.gross_cents - row.reversed_cents,
        ),
      ])
      .sort(),
  );
  const best = (await listTopEarners(money.db, creator, 50)).filter(({ kind }) => kind === 'fan');
  expect(best.map(({ id, paidCents }) => [id, paidCents]).sort()).toEqual(
    payments.map(({ id, cents }) => [id, cents]).sort(),
  );

  for (const at of [EDGES[1], EDGES[4], addDays(8, EDGES[6])]) {
    if (!at) throw new Error('no instant');
    await clearDue(money.db, at);
    const waiting = (await listSales(creator)).filter((row) => !row.is_cleared && getNet(row) > 0);
    const days = await listPendingByDay(money.db, creator, at);
    const expected = new Map<string, [number, number]>();
    for (const row of waiting) {
      const day = new Date(Math.max(row.clears_at.getTime(), at.getTime())).toISOString().slice(0, 10);
      const [count, cents] = expected.get(day) ?? [0, 0];
      expected.set(day, [count + 1, cents + getNet(row)]);
    }
    expect(days.map(({ day, count, cents }) => [day, [count, cents]])).toEqual([...expected].sort());
    const balance = await getEarningsBalance(money.db, creator, at);
    expect(balance.pendingCents).toBe(days.reduce((all, { cents }) => all + cents, 0));
    const next = waiting.map(({ clears_at }) => clears_at.getTime()).filter((time) => time > at.getTime());
    expect(balance.nextClearsAt?.getTime() ?? Number.POSITIVE_INFINITY).toBe(Math.min(...next));
    expect(balance.sentCents).toBe(0);
  }
  await runRefund(money.db, made[0] ?? '', 10, addDays(9, EDGES[6]));
  const after = await getEarningsBalance(money.db, creator, addDays(9, EDGES[6]));
  const [available, reserved] = [account.available(creator), account.reserved(creator)];
  const [clearing, bank] = ['liab:payout_clearing:ach', 'asset:bank:operating'];
  const seen: unknown[] = [];
  for (const [kind, from, to] of [
    ['payout_requested', available, reserved],
    ['payout_sent', reserved, clearing],
    ['payout_paid', clearing, bank],
  ] as const) {
    const legs = [
      [from, 500],
      [to, -500],
    ] as const;
    await postTransaction(money.db, { kind, legs });
    const balance = await getEarningsBalance(money.db, creator, addDays(9, EDGES[6]));
    seen.push([after.availableCents - balance.availableCents, balance.reservedCents, balance.sentCents]);
  }
  expect(seen).toEqual([
    [500, 500, 0],
    [500, 0, 500],
    [500, 0, 500],
  ]);
});

it('the post ranking sums unlocks and tips without refunds', async () => {
  const [fan, creator] = [await money.fan(100_000), await money.creator()];
  const [first, second] = [randomUUID(), randomUUID()];
  await chargeFanNow(money.db, createUnlockCharge(fan, creator, first, 1_000));
  await chargeFanNow(money.db, createUnlockCharge(fan, creator, second, 1_200));
  await chargeFanNow(money.db, createTipCharge(fan, creator, 500, { tipType: 'post', subjectId: first }));
  await chargeFanNow(money.db, createTipCharge(fan, creator, 5_000, { tipType: 'profile' }));
  const refunded = await chargeFanNow(money.db, createUnlockCharge(fan, creator, randomUUID(), 4_000));
  await runRefund(money.db, refunded.transactionId);
  const posts = (await listTopEarners(money.db, creator, 5)).filter(({ kind }) => kind === 'post');
  expect(posts).toEqual([
    { kind: 'post', id: first, count: 2, paidCents: 1_500, netCents: 1_200 },
    { kind: 'post', id: second, count: 1, paidCents: 1_200, netCents: 960 },
  ]);
  expect(await listTopEarners(money.db, fan, 5)).toEqual([]);
});

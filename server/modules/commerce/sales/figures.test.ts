import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, clearDue, sumInflows } from '../../ledger/ledger/index.ts';
import {
  chargeFanNow,
  getEarningsBalance,
  getEarningsUntil,
  getSalesChart,
  getSalesStats,
  listPendingMovements,
  listSalesForCreator,
  listStatement,
  startCommission,
} from './index.ts';
import { addDays, createTipCharge, createUnlockCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest();
const refund = (saleId: string, grossCents?: number, at = NOON) => runRefund(money.db, saleId, grossCents, at);

describe('figures and lists', () => {
  it('sum the earnings of a creator by day, month and year, before and after rollup', async () => {
    const [fan, creator] = [await money.fan(400_000), await money.creator()];
    const at = [addDays(0), addDays(-0.4), addDays(-1), addDays(-6), addDays(-7), addDays(-40), addDays(-400)];
    for (const [index, when] of at.entries()) {
      const sale =
        index % 2 ? createUnlockCharge(fan, creator, randomUUID(), 1_000) : createTipCharge(fan, creator, 1_000);
      await chargeFanNow(money.db, { ...sale, at: when });
      if (index === 3) await sumInflows(money.db);
    }
    const charged = await chargeFanNow(money.db, createTipCharge(fan, creator, 500));
    await refund(charged.transactionId, undefined, addDays(3));
    expect(await getSalesStats(money.db, creator, NOON)).toEqual({
      earningsCents: { total: 5_600, today: 1_600, yesterday: 800 },
      transactions: { total: 8, today: 3, yesterday: 1 },
    });
    expect(await getSalesStats(money.db, fan, NOON)).toMatchObject({ transactions: { total: 0 } });
    const weekly = await getSalesChart(money.db, creator, 'weekly', NOON);
    expect(weekly.map(({ key, netCents, count }) => [key, netCents, count])).toEqual([
      ['2026-02-26', 800, 1],
      ['2026-02-27', 0, 0],
      ['2026-02-28', 0, 0],
      ['2026-03-01', 0, 0],
      ['2026-03-02', 0, 0],
      ['2026-03-03', 800, 1],
      ['2026-03-04', 1_600, 3],
    ]);
    const monthly = await getSalesChart(money.db, creator, 'monthly', NOON);
    expect(monthly).toHaveLength(12);
    expect(monthly[0]?.key).toBe('2025-04');
    expect(monthly.at(-1)).toMatchObject({ key: '2026-03', netCents: 2_400, feeCents: 600, count: 4 });
    const yearly = await getSalesChart(money.db, creator, 'yearly', NOON);
    expect(yearly.map(({ key, netCents }) => [key, netCents])).toEqual([
      ['2024', 0],
      ['2025', 800],
      ['2026', 4_800],
    ]);
    expect(await getEarningsBalance(money.db, creator, NOON)).toMatchObject({
      thisWeekCents: 2_400,
      lastWeekCents: 1_600,
    });
  });

  it.each([true, false])('include a refund of one cent that reduces only the fee, rolled up: %s', async (isRolled) => {
    const [fan, creator] = [await money.fan(400_000), await money.creator()];
    const { transactionId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 2_995));
    await refund(transactionId, 1_202, addDays(1));
    if (isRolled) await sumInflows(money.db);
    expect(await refund(transactionId, 1, addDays(2))).toMatchObject({ grossCents: 1, feeCents: 1, netCents: 0 });
    if (isRolled) await sumInflows(money.db);
    const monthly = await getSalesChart(money.db, creator, 'monthly', NOON);
    expect(monthly.at(-1)).toMatchObject({ netCents: 1_434, feeCents: 358, count: 1 });
  });

  it('compare today so far with yesterday up to the same time', async () => {
    const [fan, creator] = [await money.fan(400_000), await money.creator()];
    const HOUR = 1 / 24;
    for (const [cents, days] of [
      [1_000, -1 - 13 * HOUR],
      [100, -1 - 11 * HOUR],
      [200, -1 - HOUR],
      [4_000, -1 + HOUR],
      [300, -HOUR],
    ] as const)
      await chargeFanNow(money.db, { ...createTipCharge(fan, creator, cents), at: addDays(days) });
    const charged = await chargeFanNow(money.db, { ...createTipCharge(fan, creator, 500), at: addDays(-1 - 2 * HOUR) });
    await refund(charged.transactionId, undefined, addDays(3));
    const getUntil = (days: number) => getEarningsUntil(money.db, creator, addDays(days));
    expect(await getUntil(-1)).toEqual({ earningsCents: 240, transactions: 3 });
    expect(await getUntil(-0.500_001)).toEqual({ earningsCents: 240 + 3_200, transactions: 4 });
    const { earningsCents, transactions } = await getSalesStats(money.db, creator, NOON);
    expect([earningsCents.yesterday, transactions.yesterday]).toEqual([3_440, 4]);
    expect(await getEarningsUntil(money.db, fan, addDays(-1))).toEqual({ earningsCents: 0, transactions: 0 });
    const both = { earningsCents: 240 + 800, transactions: 4 };
    expect(await getEarningsUntil(money.db, creator, addDays(-1), 1)).toEqual(both);
    await sumInflows(money.db);
    expect(await getEarningsUntil(money.db, creator, addDays(-1), 1)).toEqual(both);
  });

  it('page through sales without gaps, for one kind or all', async () => {
    const [fan, creator] = [await money.fan(400_000), await money.creator()];
    const made: string[] = [];
    for (let index = 0; index < 13; index += 1) {
      const sale = index % 4 ? createTipCharge(fan, creator, 100) : createUnlockCharge(fan, creator, randomUUID(), 300);
      made.unshift((await chargeFanNow(money.db, { ...sale, at: addDays(index / 24) })).transactionId);
    }
    const seen: string[] = [];
    for (let before: string | undefined; ; ) {
      const { sales, totalCount } = await listSalesForCreator(money.db, creator, { limit: 5, before });
      expect(totalCount).toBe(13);
      if (sales.length === 0) break;
      seen.push(...sales.map(({ id }) => id));
      before = seen.at(-1);
    }
    expect(seen).toEqual(made);
    expect((await listSalesForCreator(money.db, creator, { limit: 5, skip: 4 })).sales.map(({ id }) => id)).toEqual(
      made.slice(4, 9),
    );
    const posts = await listSalesForCreator(money.db, creator, { limit: 3, kind: 'post' });
    expect([posts.sales.length, posts.totalCount, posts.sales[0]?.grossCents]).toEqual([3, 4, 300]);
    expect((await listStatement(money.db, fan, { limit: 50, type: 'post' })).rows).toHaveLength(4);
  });

  it('show the statement of a fan with the balance after each entry', async () => {
    const [fan, creator, post] = [await money.fan(), await money.creator(), randomUUID()];
    await money.deposit(fan, 10_000, 200, NOON);
    await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000, { note: 'Bravo', tipType: 'profile' }));
    const { transactionId } = await chargeFanNow(money.db, createUnlockCharge(fan, creator, post));
    await refund(transactionId);
    const { rows: lines, totalCount } = await listStatement(money.db, fan, { limit: 10 });
    expect(totalCount).toBe(4);
    expect(lines.map(({ line, type, amountCents, balanceCents }) => [line, type, amountCents, balanceCents])).toEqual([
      [4, 'refund', 1_200, 8_000],
      [3, 'post', -1_200, 6_800],
      [2, 'tip', -2_000, 8_000],
      [1, 'deposit', 10_000, 10_000],
    ]);
    expect(lines[0]?.sale).toMatchObject({ id: transactionId, subjectId: post, reversedCents: 1_200 });
    expect(lines[2]?.sale).toMatchObject({ note: 'Bravo', tipType: 'profile', creatorId: creator, feePercent: 20 });
    const page = (more: object) => listStatement(money.db, fan, { limit: 2, ...more });
    expect((await page({ cursor: { line: 3, owedLine: 0 } })).rows.map(({ line }) => line)).toEqual([2, 1]);
    expect((await page({ skip: 3 })).rows.map(({ line }) => line)).toEqual([1]);
    const large = await page({ minAmountCents: 2_000 });
    expect([large.rows.map(({ line }) => line), large.totalCount]).toEqual([[2, 1], 2]);
    const tips = await page({ type: 'tip' });
    expect([tips.rows.map(({ line }) => line), tips.totalCount]).toEqual([[2], 1]);
    expect((await listStatement(money.db, await money.fan(), { limit: 2 })).rows).toEqual([]);
  });

  it('list what moved through a pending account, newest first, in pages and for one kind', async () => {
    const [fan, creator, affiliate] = [await money.fan(10_000), await money.creator(), randomUUID()];
    await money.db.transaction((tx) =>
      startCommission(tx, { userId: fan, affiliateId: affiliate, basisPoints: 500, from: NOON, until: addDays(365) }),
    );
    const { transactionId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    await refund(transactionId, 400, addDays(1));
    await clearDue(money.db, addDays(7));
    const list = async (side: 'creator' | 'affiliate', ownerId: string, more: object = {}) => {
      const code = side === 'creator' ? account.pending(ownerId) : account.affiliatePending(ownerId);
      const { id } = await money.db.query
        .selectFrom('ledger_accounts')
        .select('id')
        .where('code', '=', code)
        .executeTakeFirstOrThrow();
      const page = { after: { at: addDays(90), id: randomUUID() }, from: NOON, until: addDays(90), limit: 10, ...more };
      return listPendingMovements(money.db, { side, ownerId, accountId: Number(id) }, page);
    };
    const all = await list('creator', creator);
    expect(all.map(({ kind, cents, at }) => [kind, cents, at])).toEqual([
      ['clearing', -480, addDays(7)],
      ['sale_refund', -320, addDays(1)],
      ['tip', 800, NOON],
    ]);
    expect(await list('creator', creator, { limit: 1 })).toEqual(all.slice(0, 1));
    expect(await list('creator', creator, { after: all[0] })).toEqual(all.slice(1));
    expect(await list('creator', creator, { from: addDays(1), until: addDays(7) })).toEqual(all.slice(1, 2));
    expect(await list('creator', creator, { kind: 'tip' })).toEqual(all.slice(2));
    expect((await list('affiliate', affiliate)).map(({ kind, cents }) => [kind, cents])).toEqual([
      ['clearing', -30],
      ['commission_return', -20],
      ['commission', 50],
    ]);
  });
});

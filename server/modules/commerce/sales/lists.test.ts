import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  captureFunds,
  chargeFanNow,
  extendFunds,
  holdFunds,
  listSaleReversals,
  listSalesForCreator,
  listSalesToFans,
  listSpendingByKind,
  listStatement,
  listStatementLinesByIds,
  listTipsBetween,
  sumSpending,
  sumTipsTowardGoal,
} from './index.ts';
import { addDays, createTipCharge, createUnlockCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest();

const hold = (fanId: string, amountCents: number) =>
  money.db.transaction((tx) =>
    holdFunds(tx, {
      ...{ fanId, amountCents, purpose: 'test', operationId: randomUUID(), expiresAt: addDays(1), at: NOON },
    }),
  );
const capture = (holdId: string, creatorId: string, grossCents: number) =>
  money.db.transaction((tx) =>
    captureFunds(tx, { kind: 'call', holdId, creatorId, subjectId: null, grossCents, at: NOON }),
  );

describe('the purchases of a fan', () => {
  it('are summed by kind and in all, with calls and without refunds, for one creator or for everyone', async () => {
    const [fan, creator, other] = [await money.fan(20_000), await money.creator(), await money.creator()];
    await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    const tip = await chargeFanNow(money.db, createTipCharge(fan, creator, 500));
    await runRefund(money.db, tip.transactionId, 200);
    await capture((await hold(fan, 700)).id, creator, 700);
    await chargeFanNow(money.db, createTipCharge(fan, other, 2_500));
    expect(await listSpendingByKind(money.db, fan, creator)).toEqual([
      { title: 'Tip', count: 2, cents: 1_300 },
      { title: 'Video Call', count: 1, cents: 700 },
    ]);
    expect(await sumSpending(money.db, fan)).toBe(4_500);
    const stranger = await money.fan();
    expect(await listSpendingByKind(money.db, stranger, creator)).toEqual([]);
    expect(await sumSpending(money.db, stranger)).toBe(0);
  });

  it('are listed with the preferred one first and refunded ones last, and counted beyond the limit', async () => {
    const [fan, creator, other, post] = [
      await money.fan(20_000),
      await money.creator(),
      await money.creator(),
      randomUUID(),
    ];
    const refunded = await chargeFanNow(money.db, createTipCharge(fan, creator, 300, { at: addDays(3) }));
    await runRefund(money.db, refunded.transactionId);
    const preferred = await chargeFanNow(money.db, createUnlockCharge(fan, creator, post));
    const newest = await chargeFanNow(money.db, createTipCharge(fan, creator, 400, { at: addDays(1) }));
    const call = await capture((await hold(fan, 700)).id, creator, 700);
    const elsewhere = await chargeFanNow(money.db, createTipCharge(fan, other, 500, { at: addDays(2) }));
    const list = async (creatorId: string | null, limit = 10) => {
      const filter = { fanIds: [fan, await money.fan()], creatorId, preferredSubjectId: post, limit };
      const { sales, count } = await listSalesToFans(money.db, filter);
      return { ids: sales.map(({ id }) => id), count };
    };
    const ofCreator = [preferred.transactionId, newest.transactionId, call?.transactionId, refunded.transactionId];
    expect(await list(creator)).toEqual({ ids: ofCreator, count: 4 });
    expect(await list(creator, 2)).toEqual({ ids: ofCreator.slice(0, 2), count: 4 });
    expect((await list(null)).ids).toContain(elsewhere.transactionId);
    const none = { fanIds: [await money.fan()], creatorId: creator, preferredSubjectId: null, limit: 10 };
    expect(await listSalesToFans(money.db, none)).toEqual({ sales: [], count: 0 });
  });
});

describe('the tips of a fan', () => {
  it('are listed oldest first for one creator, from and until a time', async () => {
    const [fan, creator] = [await money.fan(20_000), await money.creator()];
    const tips: string[] = [];
    for (const day of [2, 0, 1])
      tips.push((await chargeFanNow(money.db, createTipCharge(fan, creator, 300, { at: addDays(day) }))).transactionId);
    await chargeFanNow(money.db, createTipCharge(fan, await money.creator(), 300));
    await chargeFanNow(money.db, createTipCharge(await money.fan(300), creator, 300));
    await chargeFanNow(money.db, createUnlockCharge(fan, creator, randomUUID()));
    const list = async (from: Date, until: Date | null) =>
      (await listTipsBetween(money.db, { creatorId: creator, fanId: fan, from, until })).map(({ id }) => id);
    const [last, first, middle] = tips;
    expect(await list(NOON, null)).toEqual([first, middle, last]);
    expect(await list(addDays(1), null)).toEqual([middle, last]);
    expect(await list(NOON, addDays(1))).toEqual([first, middle]);
  });

  it('count toward a goal without refunds', async () => {
    const [fan, creator, goal] = [await money.fan(20_000), await money.creator(), randomUUID()];
    expect(await sumTipsTowardGoal(money.db, goal)).toEqual({ cents: 0, count: 0 });
    const give = (cents: number, subjectId?: string) =>
      chargeFanNow(money.db, createTipCharge(fan, creator, cents, { tipType: 'profile', subjectId }));
    await give(1_000, goal);
    await runRefund(money.db, (await give(500, goal)).transactionId);
    await runRefund(money.db, (await give(600, goal)).transactionId, 100);
    await give(700, randomUUID());
    await give(800);
    expect(await sumTipsTowardGoal(money.db, goal)).toEqual({ cents: 1_500, count: 2 });
  });
});

describe('a sale', () => {
  it('names its refunds in their order', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const { transactionId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    expect(await listSaleReversals(money.db, transactionId)).toEqual([]);
    const first = await runRefund(money.db, transactionId, 100, addDays(1));
    const second = await runRefund(money.db, transactionId, 200, addDays(2));
    expect(await listSaleReversals(money.db, transactionId)).toEqual([
      { id: first.refundId, createdAt: addDays(1), title: 'Refund' },
      { id: second.refundId, createdAt: addDays(2), title: 'Refund' },
    ]);
  });

  it('is counted for its creator alone', async () => {
    const creator = await money.creator();
    expect(await listSalesForCreator(money.db, creator, { limit: 5 })).toEqual({ sales: [], totalCount: 0 });
  });
});

describe('the statement', () => {
  it('shows a call as one row, at first with what is on hold, in the end with what it cost', async () => {
    const [fan, creator] = [await money.fan(10_000), await money.creator()];
    const [held, captured, released] = [await hold(fan, 300), await hold(fan, 900), await hold(fan, 500)];
    const more = { holdId: captured.id, amountCents: 100, expiresAt: addDays(1), at: NOON };
    await money.db.transaction((tx) => extendFunds(tx, more));
    await capture(captured.id, creator, 750);
    await capture(released.id, creator, 0);
    const { rows, totalCount } = await listStatement(money.db, fan, { limit: 10 });
    expect(totalCount).toBe(4);
    const shown = rows.map(({ transactionId, type, title, amountCents, availableCents, hold: parts }) => [
      ...[transactionId, type, title, amountCents, availableCents, parts],
    ]);
    const calls = [
      [released.id, 'release', 'Hold released', 0, 0, { heldCents: 500, capturedCents: 0 }],
      [captured.id, 'call', 'Video Call', -750, -750, { heldCents: 1_000, capturedCents: 750 }],
      [held.id, 'hold', 'On hold', -300, -300, { heldCents: 300, capturedCents: 0 }],
    ];
    expect(shown).toEqual([...calls, [expect.any(String), 'deposit', 'Deposit', 10_000, 10_000, null]]);
    const filter = async (type: 'call' | 'hold' | 'release') =>
      (await listStatement(money.db, fan, { limit: 10, type })).rows.map(({ transactionId }) => transactionId);
    expect(await filter('call')).toEqual([released.id, captured.id, held.id]);
    expect(await filter('hold')).toEqual([held.id]);
    expect(await filter('release')).toEqual([released.id]);
  });

  it('finds lines by their transactions, for this fan alone', async () => {
    const [fan, other, creator] = [await money.fan(1_000), await money.fan(1_000), await money.creator()];
    const own = await chargeFanNow(money.db, createTipCharge(fan, creator, 300));
    const foreign = await chargeFanNow(money.db, createTipCharge(other, creator, 400));
    const lines = await listStatementLinesByIds(money.db, fan, [own.transactionId, foreign.transactionId]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ line: 2, amountCents: -300, balanceCents: 700, sale: { id: own.transactionId } });
  });
});

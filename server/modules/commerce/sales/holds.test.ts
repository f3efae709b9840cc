import { randomUUID } from 'node:crypto';
import { asCents } from '@stagedoor/contract/shared/money.ts';
import { describe, expect, it } from 'vitest';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
  clearDue,
  getBalance,
  getHold,
  releaseExpiredHolds,
  releaseHold,
  setDailyLimit,
  setSpendingBlocked,
} from '../../ledger/ledger/index.ts';
import { catchErrorCode } from '../../ledger/ledger/testing.ts';
import {
  captureFunds,
  chargeFanNow,
  extendFunds,
  findSale,
  getEffectiveFee,
  getFanWallet,
  getSalesStats,
  holdFunds,
  lockSpendable,
  presentSpendingBound,
  reduceFunds,
  refundSale,
  setCreatorFee,
  startCommission,
  toSpendable,
} from './index.ts';
import { addDays } from './testing.ts';

const money = setUpMoneyTest();
const NOON = new Date('2026-03-04T12:00:00.000Z');
const in5 = new Date(NOON.getTime() + 300_000);
const hold = (fanId: string, amountCents: number, operationId: string = randomUUID(), at = NOON) =>
  money.db.transaction((tx) => holdFunds(tx, { fanId, amountCents, purpose: 'test', operationId, expiresAt: in5, at }));
const capture = (holdId: string, creatorId: string, grossCents: number, at = NOON) =>
  money.db.transaction((tx) => captureFunds(tx, { kind: 'call', holdId, creatorId, subjectId: null, grossCents, at }));
const extend = (holdId: string, amountCents: number, operationId?: string) =>
  money.db.transaction((tx) =>
    extendFunds(tx, { holdId, amountCents, expiresAt: in5, at: NOON, ...(operationId && { operationId }) }),
  );

describe('a hold', () => {
  it('earns no commission when it is captured after the commission period, even if it began before', async () => {
    const [fan, creator, affiliateId] = [await money.fan(10_000), await money.creator(), randomUUID()];
    const until = new Date(NOON.getTime() + 120_000);
    await money.db.transaction((tx) =>
      startCommission(tx, { userId: fan, affiliateId, basisPoints: 500, from: NOON, until }),
    );
    const pending = () => getBalance(money.db, account.affiliatePending(affiliateId));
    await capture((await hold(fan, 2_000)).id, creator, 1_000, until);
    expect(await pending()).toBe(0);
    await capture((await hold(fan, 2_000)).id, creator, 1_000, new Date(until.getTime() - 1));
    expect(await pending()).toBe(50);
  });

  it('is charged at the fee from its start, even if the fee changes during the call', async () => {
    const [fan, creator] = [await money.fan(10_000), await money.creator()];
    const call = { fanId: fan, creatorId: creator, amountCents: 1_000, purpose: 'call', expiresAt: in5, at: NOON };
    const startHold = (operationId: string) => money.db.transaction((tx) => holdFunds(tx, { ...call, operationId }));
    const captureFee = async (holdId: string) => (await capture(holdId, creator, 1_000))?.feeCents;
    const operationId = randomUUID();
    const before = await startHold(operationId);
    const fee = (await getEffectiveFee(money.db, creator, NOON)).percent;
    const own = { generalPercent: fee + 7, offerPercent: null, offerFrom: null, offerUntil: NOON };
    await money.db.transaction((tx) => setCreatorFee(tx, creator, own));
    expect((await startHold(operationId)).id).toBe(before.id);
    const after = await startHold(randomUUID());
    expect([await captureFee(before.id), await captureFee(after.id)]).toEqual([fee * 10, (fee + 7) * 10]);
  });

  it('captures $7.55 of $9.00 and releases $1.45 (docs/money.md, the example)', async () => {
    const [fan, creator] = [await money.fan(10_000), await money.creator()];
    const { id } = await hold(fan, 600);
    expect(await extend(id, 300)).toMatchObject({ amountCents: 900, state: 'held' });
    expect(await getFanWallet(money.db, fan, NOON)).toMatchObject({
      availableCents: 9_100,
      heldCents: 900,
      spentTodayCents: 900,
    });
    const captured = await capture(id, creator, 755);
    expect(captured).toMatchObject({
      grossCents: 755,
      feeCents: 151,
      netCents: 604,
      releasedCents: 145,
      balanceCents: 9_245,
    });
    expect(await getFanWallet(money.db, fan, NOON)).toMatchObject({
      availableCents: 9_245,
      heldCents: 0,
      spentTodayCents: 755,
    });
    expect(await findSale(money.db, captured?.transactionId ?? '')).toMatchObject({
      kind: 'call',
      grossCents: 755,
      feePercent: 20,
    });
    expect(await getSalesStats(money.db, creator, NOON)).toMatchObject({
      transactions: { today: 1 },
      earningsCents: { today: 604 },
    });
    const refund = { saleId: captured?.transactionId ?? '', actorId: creator, operationId: randomUUID(), at: NOON };
    expect(await money.db.transaction((tx) => refundSale(tx, refund))).toMatchObject({
      grossCents: 755,
      balanceCents: 10_000,
    });
  });

  it('emits hold.changed when it is placed, extended, reduced or released, and sale.made when it is captured', async () => {
    const [fan, creator, call] = [await money.fan(1_000), await money.creator(), randomUUID()];
    const first = await hold(fan, 500);
    await extend(first.id, 200);
    await money.db.transaction((tx) => reduceFunds(tx, { holdId: first.id, amountCents: 100, at: NOON }));
    await capture(first.id, creator, 0);
    const second = await hold(fan, 400);
    const captured = await money.db.transaction((tx) =>
      captureFunds(tx, {
        ...{ kind: 'call', holdId: second.id, creatorId: creator, subjectId: call, grossCents: 300, at: NOON },
      }),
    );
    const { rows } = await money.db.pool.query<{ type: string; payload: Record<string, unknown> }>(
      `select type, payload from outbox where payload ->> 'fanId' = $1 and type in ('hold.changed', 'sale.made') order by id`,
      [fan],
    );
    // Line 1 of the statement is the deposit.
    const lines = [500, 300, 400, 1_000, 600].map((balanceCents, index) => ({ balanceCents, balanceLine: index + 2 }));
    expect(rows).toEqual([
      ...lines.map((line) => ({
        type: 'hold.changed',
        payload: { fanId: fan, transactionId: expect.any(String), ...line },
      })),
      {
        type: 'sale.made',
        payload: {
          ...{ transactionId: captured?.transactionId, kind: 'call', fanId: fan, creatorId: creator, subjectId: call },
          ...{ grossCents: 300, netCents: 240, balanceCents: 700, balanceLine: 7, tipType: null },
          at: NOON.toISOString(),
        },
      },
    ]);
  });

  it('becomes a sale without a note that clears after the clearing period', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const captured = await capture((await hold(fan, 500)).id, creator, 500);
    expect(await findSale(money.db, captured?.transactionId ?? '')).toMatchObject({
      note: '',
      clearsAt: addDays(7),
      createdAt: NOON,
    });
    await clearDue(money.db, addDays(6.999));
    expect(await getBalance(money.db, account.available(creator))).toBe(0);
    await clearDue(money.db, addDays(7));
    expect(await getBalance(money.db, account.available(creator))).toBe(400);
  });

  it('cannot be captured as a kind that is not a sale', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const { id } = await hold(fan, 500);
    const deposit = { kind: 'deposit', holdId: id, creatorId: creator, subjectId: null, grossCents: 500, at: NOON };
    await expect(money.db.transaction((tx) => captureFunds(tx, deposit))).rejects.toThrow('no sale is of kind deposit');
    expect(await getHold(money.db, id)).toMatchObject({ state: 'held', amountCents: 500 });
  });

  it('is resolved once', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const { id } = await hold(fan, 500);
    expect(await capture(id, creator, 0)).toMatchObject({ releasedCents: 500, balanceCents: 1_000 });
    expect(await capture(id, creator, 300)).toBeUndefined();
    expect(await money.db.transaction((tx) => releaseHold(tx, id, NOON))).toBe(false);
    expect(await catchErrorCode(extend(id, 100))).toBe('CONFLICT');
    expect(await getHold(money.db, id)).toMatchObject({ state: 'released', capturedCents: 0 });
  });

  it('can be reduced, but something always stays held', async () => {
    const fan = await money.fan(1_000);
    const { id } = await hold(fan, 500);
    const reduce = (amountCents: number) =>
      money.db.transaction((tx) => reduceFunds(tx, { holdId: id, amountCents, at: NOON }));
    expect(await reduce(200)).toMatchObject({ amountCents: 300 });
    expect(await catchErrorCode(reduce(300))).toBe('CONFLICT');
    expect(await getFanWallet(money.db, fan, NOON)).toMatchObject({ availableCents: 700, heldCents: 300 });
    await money.db.transaction((tx) => releaseHold(tx, id, NOON));
    expect(await catchErrorCode(reduce(100))).toBe('CONFLICT');
  });

  it('is created once per operation id', async () => {
    const fan = await money.fan(1_000);
    const operationId = randomUUID();
    const holds = await Promise.all(Array.from({ length: 5 }, () => hold(fan, 400, operationId)));
    expect(new Set(holds.map(({ id }) => id)).size).toBe(1);
    expect(await catchErrorCode(hold(fan, 401, operationId))).toBe('CONFLICT');
    const secondId = randomUUID();
    for (let times = 0; times < 2; times += 1)
      expect(await extend(holds[0]?.id ?? '', 100, secondId)).toMatchObject({ amountCents: 500 });
    expect(await getFanWallet(money.db, fan, NOON)).toMatchObject({ availableCents: 500, heldCents: 500 });
  });

  it('refuses insufficient funds, exceeded limits, a capture above the held amount and unknown holds', async () => {
    const [fan, creator] = [await money.fan(100_000), await money.creator()];
    expect(await catchErrorCode(hold(await money.fan(100), 101))).toBe('INSUFFICIENT_FUNDS');
    expect(await catchErrorCode(hold(fan, 50_001))).toBe('FORBIDDEN');
    const { id } = await hold(fan, 40_000);
    expect(await catchErrorCode(extend(id, 10_001))).toBe('FORBIDDEN');
    expect(await catchErrorCode(capture(id, creator, 40_001))).toBe('CONFLICT');
    const tip = {
      kind: 'tip' as const,
      fanId: fan,
      creatorId: creator,
      grossCents: 10_001,
      operationId: randomUUID(),
      at: NOON,
    };
    expect(await catchErrorCode(chargeFanNow(money.db, tip))).toBe('FORBIDDEN');
    await money.db.transaction((tx) => setDailyLimit(tx, fan, 90_000));
    await money.db.transaction((tx) => setSpendingBlocked(tx, fan, true));
    expect(await catchErrorCode(hold(fan, 100))).toBe('FORBIDDEN');
    expect(await catchErrorCode(capture(randomUUID(), creator, 100))).toBe('NOT_FOUND');
    await capture(id, creator, 100);
  });

  it('is resolved once when its capture races with its expiry', async () => {
    const [fan, creator] = [await money.fan(20_000), await money.creator()];
    for (let round = 0; round < 5; round += 1) {
      const { id } = await hold(fan, 500);
      const [captured] = await Promise.all([
        capture(id, creator, 500),
        releaseExpiredHolds(money.db, in5),
        releaseExpiredHolds(money.db, in5),
      ]);
      expect(await getHold(money.db, id)).toMatchObject(
        captured ? { state: 'captured', capturedCents: 500 } : { state: 'released', capturedCents: 0 },
      );
    }
    expect(await getBalance(money.db, account.hold(fan))).toBe(0);
  });
});

describe('what a fan may spend', () => {
  const wallet = {
    availableCents: asCents(900),
    remainingCents: asCents(700),
    limitingPeriod: 'week' as const,
    isBlocked: false,
    pausedUntil: null,
  };

  it('is the smaller of the balance and what the strictest limit leaves', () => {
    expect(toSpendable(wallet)).toEqual({
      cents: 700,
      balanceCents: 900,
      limitCents: 700,
      isBlocked: false,
      period: 'week',
    });
    expect(toSpendable({ ...wallet, availableCents: asCents(300) })).toMatchObject({ cents: 300, limitCents: 700 });
  });

  it('is never negative, even if a limit was lowered below what is spent already', () => {
    expect(toSpendable({ ...wallet, remainingCents: asCents(-100) })).toMatchObject({ cents: 0, limitCents: 0 });
    expect(presentSpendingBound({ ...wallet, remainingCents: asCents(-100) })).toEqual({ kind: 'week', left: 0 });
  });

  it('is nothing during a block or a spending break', () => {
    const isBlocked = true;
    expect(toSpendable({ ...wallet, isBlocked })).toMatchObject({ cents: 0, isBlocked });
    expect(toSpendable({ ...wallet, pausedUntil: addDays(1) })).toMatchObject({ cents: 0, isBlocked });
  });

  it('is presented with what is on hold, which counts as spent already, and with the break if there is one', () => {
    expect(presentSpendingBound(wallet)).toEqual({ kind: 'week', left: 7 });
    expect(presentSpendingBound(wallet, 250)).toEqual({ kind: 'week', left: 9.5 });
    expect(presentSpendingBound({ ...wallet, pausedUntil: addDays(1) }, 250)).toEqual({ kind: 'break', left: 2.5 });
  });

  it('stays the same until the transaction that locked it ends', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const tip = { kind: 'tip', fanId: fan, creatorId: creator, grossCents: 600, operationId: randomUUID(), at: NOON };
    const charges: Promise<unknown>[] = [];
    await money.db.transaction(async (tx) => {
      const before = await lockSpendable(tx, fan, NOON);
      expect(before).toMatchObject({ cents: 1_000, balanceCents: 1_000, period: 'day' });
      charges.push(chargeFanNow(money.db, tip));
      await waitForBlockedQueries(money);
      expect(await getFanWallet(tx, fan, NOON)).toMatchObject({ availableCents: 1_000 });
    });
    await Promise.all(charges);
    expect(await getFanWallet(money.db, fan, NOON)).toMatchObject({ availableCents: 400 });
  });
});

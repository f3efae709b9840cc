import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
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
  reduceFunds,
  refundSale,
  setCreatorFee,
  startCommission,
} from './index.ts';

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

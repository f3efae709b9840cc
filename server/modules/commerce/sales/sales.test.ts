import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, clearDue, getBalance, setDailyLimit, setSpendingBlocked } from '../../ledger/ledger/index.ts';
import { addKind, catchErrorCode } from '../../ledger/ledger/testing.ts';
import {
  type ChargeResult,
  chargeFan,
  chargeFanNow,
  findCharge,
  findSale,
  getEarningsBalance,
  getEffectiveFee,
  getFanWallet,
  refundSale,
  setCreatorFee,
  updateSalesSettings,
} from './index.ts';
import { addDays, createTipCharge, createUnlockCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest();
const refund = (saleId: string, grossCents?: number, at = NOON) => runRefund(money.db, saleId, grossCents, at);
const pending = (creatorId: string) => getBalance(money.db, account.pending(creatorId));
const available = (creatorId: string) => getBalance(money.db, account.available(creatorId));

describe('a charge', () => {
  it('splits $20 into $16 and $4 (docs/money.md, the example)', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator()];
    const sale = await chargeFanNow(
      money.db,
      createTipCharge(fan, creator, 2_000, { note: 'Lovely', tipType: 'profile' }),
    );
    expect(sale).toMatchObject({
      outcome: 'made',
      isCreated: true,
      balanceCents: 28_000,
      grossCents: 2_000,
      feeCents: 400,
      netCents: 1_600,
      feePercent: 20,
    });
    expect(sale.createdAt).toEqual(NOON);
    expect(sale.clearsAt).toEqual(addDays(7));
    expect(await pending(creator)).toBe(1_600);
  });

  it('gets an id that sorts at its time, also when it is made later', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const { transactionId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 500, { at: NOON }));
    expect(Number.parseInt(transactionId.replaceAll('-', '').slice(0, 12), 16)).toBe(NOON.getTime());
  });

  it('rounds the fee half up', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator()];
    await money.db.transaction((tx) =>
      setCreatorFee(tx, creator, { generalPercent: 12.5, offerPercent: null, offerUntil: null }),
    );
    expect(await chargeFanNow(money.db, createTipCharge(fan, creator, 100))).toMatchObject({
      feeCents: 13,
      netCents: 87,
      feePercent: 12.5,
    });
    expect(await chargeFanNow(money.db, createTipCharge(fan, creator, 101))).toMatchObject({ feeCents: 13 });
  });

  it('supports fees of 0 % and 100 %', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator()];
    for (const [generalPercent, netCents] of [
      [0, 500],
      [100, 0],
    ] as const) {
      await money.db.transaction((tx) =>
        setCreatorFee(tx, creator, { generalPercent, offerPercent: null, offerUntil: null }),
      );
      expect(await chargeFanNow(money.db, createTipCharge(fan, creator, 500))).toMatchObject({ netCents });
    }
    expect(await pending(creator)).toBe(500);
  });

  it('applies the promotional fee for the first 90 days', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator(addDays(-89))];
    expect(await getEffectiveFee(money.db, creator, NOON)).toEqual({
      percent: 10,
      generalPercent: 20,
      isCustomGeneral: false,
      offerPercent: 10,
      offerUntil: addDays(1),
      isCustomOffer: false,
    });
    expect(await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000))).toMatchObject({ feePercent: 10 });
    expect(await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000, { at: addDays(1) }))).toMatchObject({
      feePercent: 20,
    });
    expect((await getEffectiveFee(money.db, creator, addDays(1))).offerUntil).toBeNull();
    expect(await catchErrorCode(getEffectiveFee(money.db, fan, NOON))).toBe('NOT_FOUND');
  });

  it('distinguishes a creator’s own fee from the general one', async () => {
    const creator = await money.creator(addDays(-1));
    const own = { generalPercent: 12, offerPercent: null, offerUntil: null };
    await money.db.transaction((tx) => setCreatorFee(tx, creator, own));
    expect(await getEffectiveFee(money.db, creator, NOON)).toMatchObject({
      isCustomGeneral: true,
      isCustomOffer: false,
      percent: 10,
    });
    const december = { generalPercent: null, offerPercent: 5, offerFrom: addDays(1), offerUntil: addDays(30) };
    await money.db.transaction((tx) => setCreatorFee(tx, creator, december));
    const before = await getEffectiveFee(money.db, creator, NOON);
    expect(before).toMatchObject({ isCustomGeneral: false, offerPercent: null, isCustomOffer: false });
    expect(await getEffectiveFee(money.db, creator, addDays(2))).toMatchObject({
      offerPercent: 5,
      isCustomOffer: true,
    });
  });

  it('returns the stored result for a repeated operation, and CONFLICT for another request', async () => {
    const [fan, creator] = [await money.fan(2_500), await money.creator()];
    const input = createTipCharge(fan, creator, 2_000);
    const first = await chargeFanNow(money.db, input);
    await chargeFanNow(money.db, createTipCharge(fan, creator, 100));
    const repeated = await chargeFanNow(money.db, input);
    expect(repeated).toEqual({ ...first, outcome: 'replayed', isCreated: false });
    for (const change of [
      { grossCents: 2_001 },
      { note: 'other' },
      { tipType: 'profile' },
      { subjectId: randomUUID() },
      { creatorId: await money.creator() },
    ])
      expect(await catchErrorCode(chargeFanNow(money.db, { ...input, ...change }))).toBe('CONFLICT');
    expect(await findCharge(money.db, input)).toEqual(repeated);
    expect(await findCharge(money.db, { ...input, note: 'other' })).toBeUndefined();
    expect(await getBalance(money.db, account.wallet(fan))).toBe(400);
    expect((await getFanWallet(money.db, fan, NOON)).spentTodayCents).toBe(2_100);
  });

  it('sells a post once, and again after a refund', async () => {
    const [fan, creator, post] = [await money.fan(5_000), await money.creator(), randomUUID()];
    const first = await chargeFanNow(money.db, createUnlockCharge(fan, creator, post));
    const second = await chargeFanNow(money.db, createUnlockCharge(fan, creator, post, 1_500));
    expect(second).toMatchObject({
      outcome: 'owned',
      isCreated: false,
      transactionId: first.transactionId,
      grossCents: 1_200,
      balanceCents: 3_800,
    });
    await refund(first.transactionId);
    expect(await chargeFanNow(money.db, createUnlockCharge(fan, creator, post))).toMatchObject({
      outcome: 'made',
      balanceCents: 3_800,
    });
    expect((await getFanWallet(money.db, fan, NOON)).spentTodayCents).toBe(2_400);
  });

  it('refuses insufficient funds, blocked spending and an unknown creator, and works again afterwards', async () => {
    const [fan, creator] = [await money.fan(100), await money.creator()];
    expect(await catchErrorCode(chargeFanNow(money.db, createTipCharge(fan, creator, 101)))).toBe('INSUFFICIENT_FUNDS');
    expect(await catchErrorCode(chargeFanNow(money.db, createTipCharge(await money.fan(), creator, 101)))).toBe(
      'INSUFFICIENT_FUNDS',
    );
    expect(await catchErrorCode(chargeFanNow(money.db, createTipCharge(fan, fan, 100)))).toBe('NOT_FOUND');
    await money.db.transaction((tx) => setSpendingBlocked(tx, fan, true));
    expect(await catchErrorCode(chargeFanNow(money.db, createTipCharge(fan, creator, 100)))).toBe('FORBIDDEN');
    await money.db.transaction((tx) => setSpendingBlocked(tx, fan, false));
    expect(await chargeFanNow(money.db, createTipCharge(fan, creator, 100))).toMatchObject({ balanceCents: 0 });
  });

  it('limits a fan to $500 per UTC day or to their own limit', async () => {
    const [fan, creator] = [await money.fan(200_000), await money.creator()];
    await chargeFanNow(money.db, createTipCharge(fan, creator, 49_000));
    expect(await catchErrorCode(chargeFanNow(money.db, createTipCharge(fan, creator, 1_001)))).toBe('FORBIDDEN');
    await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    await chargeFanNow(money.db, createTipCharge(fan, creator, 50_000, { at: new Date('2026-03-05T00:00:00.000Z') }));
    await money.db.transaction((tx) => setDailyLimit(tx, fan, 60_000));
    await chargeFanNow(money.db, createTipCharge(fan, creator, 10_000, { at: new Date('2026-03-05T23:59:59.999Z') }));
    expect(await getFanWallet(money.db, fan, addDays(1))).toEqual({
      availableCents: 90_000,
      balanceLine: expect.any(Number),
      heldCents: 0,
      spentTodayCents: 60_000,
      dailyLimitCents: 60_000,
      remainingCents: 0,
      limitingPeriod: 'day',
      pausedUntil: null,
      isBlocked: false,
      isForDebt: false,
      owedCents: 0,
    });
    expect(await getFanWallet(money.db, fan, addDays(2))).toMatchObject({ spentTodayCents: 0 });
  });

  it('emits sale.made only if its transaction commits', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    await expect(
      money.db.transaction(async (tx) => {
        await chargeFan(tx, createTipCharge(fan, creator, 300));
        throw new Error('after all not');
      }),
    ).rejects.toThrow('after all not');
    const { transactionId } = await money.db.transaction((tx) => chargeFan(tx, createTipCharge(fan, creator, 200)));
    const { rows } = await money.db.pool.query(
      "select payload from outbox where type = 'sale.made' and payload ->> 'fanId' = $1",
      [fan],
    );
    expect(rows).toEqual([
      {
        payload: {
          transactionId,
          kind: 'tip',
          fanId: fan,
          creatorId: creator,
          subjectId: null,
          grossCents: 200,
          netCents: 160,
          balanceCents: 800,
          balanceLine: 2,
          tipType: null,
          at: expect.any(String),
        },
      },
    ]);
  });
});

describe('clearing', () => {
  it('moves what is due exactly once', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator()];
    await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000, { at: addDays(1) }));
    expect(await getEarningsBalance(money.db, creator, NOON)).toMatchObject({
      pendingCents: 2_400,
      availableCents: 0,
      nextClearsAt: addDays(7),
    });
    await clearDue(money.db, addDays(6.999));
    expect(await available(creator)).toBe(0);
    await Promise.all([clearDue(money.db, addDays(7)), clearDue(money.db, addDays(7)), clearDue(money.db, addDays(7))]);
    await clearDue(money.db, addDays(7));
    expect(await getEarningsBalance(money.db, creator, addDays(7))).toMatchObject({
      pendingCents: 1_600,
      availableCents: 800,
      nextClearsAt: addDays(8),
    });
    await clearDue(money.db, addDays(30));
    expect(await getEarningsBalance(money.db, creator, addDays(30))).toMatchObject({
      pendingCents: 0,
      availableCents: 2_400,
      nextClearsAt: null,
    });
  });

  it('stores which sales it cleared and when', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator()];
    const sales: ChargeResult[] = [];
    for (const cents of [1_000, 2_000]) sales.push(await chargeFanNow(money.db, createTipCharge(fan, creator, cents)));
    const other = await chargeFanNow(money.db, createTipCharge(fan, creator, 500, { at: addDays(3) }));
    await clearDue(money.db, addDays(8));
    const times = () =>
      Promise.all([...sales, other].map(async ({ transactionId: id }) => (await findSale(money.db, id))?.clearedAt));
    expect(await times()).toEqual([addDays(8), addDays(8), null]);
    await clearDue(money.db, addDays(10));
    expect(await times()).toEqual([addDays(8), addDays(8), addDays(10)]);
    const { rows } = await money.db.pool.query(
      'select amount_cents from ledger_clearings where transaction_id = any ($1) order by 1',
      [sales.map(({ transactionId: id }) => id)],
    );
    expect(rows.map(({ amount_cents: cents }) => cents)).toEqual([800, 1_600]);
  });

  it('skips refunded sales and clears the rest of partly refunded ones', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator()];
    const whole = await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    const part = await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    await refund(whole.transactionId);
    await refund(part.transactionId, 250);
    await clearDue(money.db, addDays(7));
    expect([await pending(creator), await available(creator)]).toEqual([0, 600]);
  });

  it('waits the number of days that the operator set', async () => {
    const [fan, creator] = [await money.fan(30_000), await money.creator()];
    await money.db.transaction((tx) => updateSalesSettings(tx, { clearingDays: 14 }));
    expect((await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000))).clearsAt).toEqual(addDays(14));
    await money.db.transaction((tx) => updateSalesSettings(tx, { clearingDays: 7 }));
    await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000, { at: addDays(12) }));
    expect((await getEarningsBalance(money.db, creator, addDays(13))).nextClearsAt).toEqual(addDays(14));
    const early = await money.creator();
    await money.db.transaction((tx) => updateSalesSettings(tx, { clearingDays: 14 }));
    await chargeFanNow(money.db, createTipCharge(fan, early, 1_000));
    await money.db.transaction((tx) => updateSalesSettings(tx, { clearingDays: 7 }));
    await chargeFanNow(money.db, createTipCharge(fan, early, 1_000, { at: addDays(1) }));
    expect((await getEarningsBalance(money.db, early, addDays(2))).nextClearsAt).toEqual(addDays(8));
    await money.db.transaction((tx) => updateSalesSettings(tx, { clearingDays: 14 }));
    expect((await getEarningsBalance(money.db, early, addDays(2))).nextClearsAt).toEqual(addDays(8));
    await money.db.transaction((tx) => updateSalesSettings(tx, { clearingDays: 7 }));
  });
});

describe('a refund of a sale', () => {
  it('reverses the original split', async () => {
    const [fan, creator] = [await money.fan(5_000), await money.creator(addDays(-1))];
    const sale = await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000));
    await money.db.transaction((tx) =>
      setCreatorFee(tx, creator, { generalPercent: 50, offerPercent: null, offerUntil: addDays(-1) }),
    );
    expect(await refund(sale.transactionId)).toMatchObject({
      grossCents: 2_000,
      feeCents: 200,
      netCents: 1_800,
      owedCents: 0,
      isWhole: true,
      balanceCents: 5_000,
    });
    expect(await pending(creator)).toBe(0);
    expect(await catchErrorCode(refund(sale.transactionId))).toBe('CONFLICT');
    expect(await catchErrorCode(refund(randomUUID()))).toBe('NOT_FOUND');
  });

  it('splits into parts that sum to the whole, and is capped', async () => {
    const [fan, creator] = [await money.fan(5_000), await money.creator()];
    const sale = await chargeFanNow(money.db, createTipCharge(fan, creator, 333));
    const parts = [
      await refund(sale.transactionId, 111),
      await refund(sale.transactionId, 111),
      await refund(sale.transactionId, 500),
    ];
    expect(parts.map(({ grossCents }) => grossCents)).toEqual([111, 111, 111]);
    expect(parts.reduce((sum, { feeCents }) => sum + feeCents, 0)).toBe(sale.feeCents);
    expect(parts.map(({ isWhole }) => isWhole)).toEqual([false, false, true]);
    expect([await getBalance(money.db, account.wallet(fan)), await pending(creator)]).toEqual([5_000, 0]);
  });

  it('deducts cleared money, and the missing part is a debt until the next clearing', async () => {
    const [fan, creator] = [await money.fan(9_000), await money.creator()];
    const sale = await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000));
    await clearDue(money.db, addDays(7));
    await addKind(money.owner, {
      kind: 'payout',
      debits: ['liab:creator:%:available'],
      credits: ['asset:bank:operating'],
    });
    await money.db.pool.query("select ledger_post('payout', $1, array[1000, -1000]::bigint[])", [
      [account.available(creator), 'asset:bank:operating'],
    ]);
    expect(await refund(sale.transactionId, undefined, addDays(8))).toMatchObject({
      netCents: 1_600,
      owedCents: 1_000,
      balanceCents: 9_000,
    });
    expect(await getEarningsBalance(money.db, creator, addDays(8))).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      owedCents: 1_000,
    });
    await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000, { at: addDays(8) }));
    await clearDue(money.db, addDays(15));
    expect(await getEarningsBalance(money.db, creator, addDays(15))).toMatchObject({
      pendingCents: 0,
      availableCents: 600,
      owedCents: 0,
    });
  });

  it('returns the stored result for a repeated operation', async () => {
    const [fan, creator] = [await money.fan(5_000), await money.creator()];
    const { transactionId: saleId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    const request = { saleId, grossCents: 300, actorId: creator, operationId: randomUUID(), at: NOON };
    const run = (more = {}) => money.db.transaction((tx) => refundSale(tx, { ...request, ...more }));
    const first = await run();
    expect(await run()).toEqual({ ...first, isReplayed: true });
    expect(await catchErrorCode(run({ grossCents: 301 }))).toBe('CONFLICT');
    expect(await getBalance(money.db, account.wallet(fan))).toBe(4_300);
    await chargeFanNow(money.db, createTipCharge(fan, creator, 500));
    expect(await run()).toEqual({
      ...first,
      isReplayed: true,
      balanceCents: 3_800,
      balanceLine: first.balanceLine + 1,
    });
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
  extendHold,
  getBalance,
  getHold,
  getWalletBalance,
  placeHold,
  postTransaction,
  reduceHold,
  releaseExpiredHolds,
  releaseHold,
  resolveHold,
  setSpendingBlocked,
} from './index.ts';
import { catchErrorCode } from './testing.ts';

const money = setUpMoneyTest();
const NOON = new Date('2026-03-04T12:00:00Z');
const addMinutes = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

type Placed = { amountCents?: number; operationId?: string; expiresAt?: Date; purpose?: string };
const place = (fanId: string, more: Placed = {}) =>
  money.db.transaction((tx) =>
    placeHold(tx, {
      ...{ fanId, amountCents: 500, purpose: 'test', operationId: randomUUID(), expiresAt: addMinutes(5) },
      ...{ defaultLimitCents: 50_000, at: NOON, ...more },
    }),
  );
const extend = (holdId: string, amountCents: number, operationId: string) =>
  money.db.transaction((tx) =>
    extendHold(tx, {
      ...{ holdId, amountCents, operationId, expiresAt: addMinutes(6), defaultLimitCents: 50_000, at: NOON },
    }),
  );
const reduce = (holdId: string, amountCents: number) =>
  money.db.transaction((tx) => reduceHold(tx, { holdId, amountCents, at: NOON }));
const spend = (fan: string, cents: number) =>
  postTransaction(money.db, {
    kind: 'test',
    legs: [
      [account.wallet(fan), cents],
      ['rev:payout_fee', -cents],
    ],
  });
const setBlocked = (fan: string, isBlocked: boolean) =>
  money.db.transaction((tx) => setSpendingBlocked(tx, fan, isBlocked));

describe('an expired hold', () => {
  it('is released once, emits hold.expired with the new balance, and is counted', async () => {
    const fan = await money.fan(1_000);
    const [due, other, later] = [
      await place(fan, { amountCents: 300, expiresAt: addMinutes(1), purpose: 'call' }),
      await place(fan, { amountCents: 200, expiresAt: addMinutes(2) }),
      await place(fan, { amountCents: 100, expiresAt: addMinutes(3) }),
    ];
    expect(await releaseExpiredHolds(money.db, addMinutes(2), 1)).toBe(1);
    expect(await releaseExpiredHolds(money.db, addMinutes(2))).toBe(1);
    expect(await releaseExpiredHolds(money.db, addMinutes(2))).toBe(0);
    const states = await Promise.all([due, other, later].map(async ({ id }) => (await getHold(money.db, id)).state));
    expect(states).toEqual(['released', 'released', 'held']);
    expect(await getBalance(money.db, account.wallet(fan))).toBe(900);
    expect(await releaseExpiredHolds(money.db, addMinutes(3))).toBe(1);
    const { rows } = await money.db.pool.query(
      "select payload from outbox where type = 'hold.expired' and payload ->> 'fanId' = $1 order by id",
      [fan],
    );
    const transactionId = expect.any(String);
    expect(rows.map(({ payload }) => payload)).toEqual([
      {
        ...{ holdId: due.id, fanId: fan, purpose: 'call', amountCents: 300, transactionId },
        ...{ balanceCents: 700, balanceLine: 5 },
      },
      {
        ...{ holdId: other.id, fanId: fan, purpose: 'test', amountCents: 200, transactionId },
        ...{ balanceCents: 900, balanceLine: 6 },
      },
      {
        ...{ holdId: later.id, fanId: fan, purpose: 'test', amountCents: 100, transactionId },
        ...{ balanceCents: 1_000, balanceLine: 7 },
      },
    ]);
  });

  it('is counted by one of several processes that release at the same time', async () => {
    const fan = await money.fan(500);
    await place(fan);
    const counts = await Promise.all([1, 2, 3].map(() => releaseExpiredHolds(money.db, addMinutes(5))));
    expect(counts.toSorted()).toEqual([0, 0, 1]);
    expect(await getBalance(money.db, account.wallet(fan))).toBe(500);
  });
});

describe('a repeated request', () => {
  it('to create a hold returns it, even if the wallet could not pay it anymore', async () => {
    const fan = await money.fan(500);
    const operationId = randomUUID();
    const placed = await place(fan, { operationId });
    await setBlocked(fan, true);
    expect(await place(fan, { operationId })).toEqual(placed);
    await setBlocked(fan, false);
    await money.deposit(fan, 100);
    await spend(fan, 100);
    expect(await place(fan, { operationId })).toEqual(placed);
    expect(await catchErrorCode(place(fan, { operationId, purpose: 'other' }))).toBe('CONFLICT');
    await money.db.transaction((tx) => releaseHold(tx, placed.id, NOON));
    expect(await place(fan, { operationId })).toMatchObject({ id: placed.id, state: 'released' });
  });

  it('to extend a hold changes nothing, also when the wallet is blocked or the hold is resolved', async () => {
    const fan = await money.fan(1_000);
    const { id } = await place(fan);
    const operationId = randomUUID();
    const extended = await extend(id, 200, operationId);
    expect(extended).toMatchObject({ amountCents: 700, expiresAt: addMinutes(6) });
    await setBlocked(fan, true);
    expect(await extend(id, 200, operationId)).toEqual(extended);
    await setBlocked(fan, false);
    expect(await catchErrorCode(extend(id, 201, operationId))).toBe('CONFLICT');
    await money.db.transaction((tx) => releaseHold(tx, id, NOON));
    expect(await extend(id, 200, operationId)).toMatchObject({ transactionId: extended.transactionId });
    expect((await getWalletBalance(money.db, fan)).balanceCents).toBe(1_000);
  });
});

describe('a resolved hold', () => {
  it('refuses to be extended or reduced, with a message', async () => {
    const { id } = await place(await money.fan(500));
    await money.db.transaction((tx) => releaseHold(tx, id, NOON));
    const refusal = { code: 'CONFLICT', message: 'This hold was already settled.' };
    await expect(extend(id, 100, randomUUID())).rejects.toMatchObject(refusal);
    await expect(reduce(id, 100)).rejects.toMatchObject(refusal);
    expect(await money.db.transaction((tx) => releaseHold(tx, id, NOON))).toBe(false);
  });
});

describe('a hold', () => {
  it('returns and captures no more than its amount, and has a message for it', async () => {
    const { id } = await place(await money.fan(500));
    const refusal = { code: 'CONFLICT', message: 'More than is held.' };
    await expect(reduce(id, 500)).rejects.toMatchObject(refusal);
    const capture = { holdId: id, capturedCents: 501, kind: 'call', at: NOON };
    await expect(money.db.transaction((tx) => resolveHold(tx, capture))).rejects.toMatchObject(refusal);
    expect(await getHold(money.db, id)).toMatchObject({ state: 'held', amountCents: 500 });
  });

  it('that does not exist is not found', async () => {
    expect(await catchErrorCode(getHold(money.db, randomUUID()))).toBe('NOT_FOUND');
  });
});

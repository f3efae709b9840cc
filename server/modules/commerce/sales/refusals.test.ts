/**
 * Tests every refusal on every code path: sales to creators with and without an earlier sale, standalone and in a
 * transaction, and holds.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { releaseHold, setDailyLimit, setSpendingBlocked } from '../../ledger/ledger/index.ts';
import { catchErrorCode } from '../../ledger/ledger/testing.ts';
import {
  type ChargeInput,
  captureFunds,
  chargeFan,
  chargeFanNow,
  extendFunds,
  findSale,
  getFanWallet,
  holdFunds,
} from './index.ts';
import { addDays, createTipCharge, createUnlockCharge, NOON } from './testing.ts';

const money = setUpMoneyTest();
const LIMIT = 50_000;

type Spend = (fan: string, creator: string, cents: number, more?: Partial<ChargeInput>) => Promise<unknown>;
const alone: Spend = (fan, creator, cents, more) => chargeFanNow(money.db, createTipCharge(fan, creator, cents, more));
const within: Spend = (fan, creator, cents, more) =>
  money.db.transaction((tx) => chargeFan(tx, createTipCharge(fan, creator, cents, more)));
const buying: Spend = (fan, creator, cents, more) =>
  chargeFanNow(money.db, { ...createUnlockCharge(fan, creator, randomUUID(), cents), ...more });
const hold: Spend = (fanId, _creator, amountCents, { at = NOON, operationId = randomUUID() } = {}) =>
  money.db.transaction((tx) =>
    holdFunds(tx, { fanId, amountCents, purpose: 'test', operationId, expiresAt: addDays(1, at), at }),
  );
const extending: Spend = async (fanId, creator, amountCents, { at = NOON } = {}) => {
  await money.deposit(fanId, 1);
  await hold(fanId, creator, 1, { at: addDays(-1, at) });
  const { rows } = await money.db.pool.query<{ id: string }>(
    'select id from ledger_holds where fan_id = $1 order by id desc limit 1',
    [fanId],
  );
  const holdId = rows[0]?.id ?? '';
  return money.db.transaction((tx) => extendFunds(tx, { holdId, amountCents, expiresAt: addDays(1, at), at }));
};

const newCreator = () => money.creator();
const paidCreator = async () => {
  const creator = await money.creator();
  await alone(await money.fan(100), creator, 100);
  return creator;
};

describe.each<[string, Spend, () => Promise<string>]>([
  ['a tip to a creator who was paid before', alone, paidCreator],
  ['a tip to a new creator', alone, newCreator],
  ['a tip in a transaction to a creator who was paid before', within, paidCreator],
  ['a tip in a transaction to a new creator', within, newCreator],
  ['a purchase from a creator who was paid before', buying, paidCreator],
  ['a purchase from a new creator', buying, newCreator],
  ['a hold', hold, newCreator],
])('%s', (name, spend, made) => {
  const balance = async (fan: string) => (await getFanWallet(money.db, fan, NOON)).availableCents;

  it('can spend the whole balance, but not one cent more', async () => {
    const [fan, creator] = [await money.fan(1_000), await made()];
    expect(await catchErrorCode(spend(fan, creator, 1_001))).toBe('INSUFFICIENT_FUNDS');
    expect(await catchErrorCode(spend(await money.fan(), creator, 100))).toBe('INSUFFICIENT_FUNDS');
    expect(await balance(fan)).toBe(1_000);
    expect(await catchErrorCode(spend(fan, creator, 1_000))).toBeUndefined();
    expect(await balance(fan)).toBe(0);
  });

  it('is refused by a limit rather than for missing funds, because adding funds would not help', async () => {
    const [fan, creator] = [await money.fan(100), await made()];
    await money.db.transaction((tx) => setDailyLimit(tx, fan, 300));
    expect(await catchErrorCode(spend(fan, creator, 301))).toBe('FORBIDDEN');
    expect(await catchErrorCode(spend(fan, creator, 300))).toBe('INSUFFICIENT_FUNDS');
  });

  it('is refused for a frozen wallet', async () => {
    const [fan, creator] = [await money.fan(1_000), await made()];
    const freeze = (isFrozen: boolean) => money.db.transaction((tx) => setSpendingBlocked(tx, fan, isFrozen));
    await freeze(true);
    expect(await catchErrorCode(spend(fan, creator, 100))).toBe('FORBIDDEN');
    expect(await balance(fan)).toBe(1_000);
    await freeze(false);
    expect(await catchErrorCode(spend(fan, creator, 100))).toBeUndefined();
  });

  it.each([
    ['the operator’s', LIMIT, undefined],
    ['a lower one of their own', 700, 700],
    ['a higher one of their own', LIMIT + 700, LIMIT + 700],
  ])('respects the daily limit: %s', async (_, limit, own) => {
    const [fan, creator] = [await money.fan(3 * limit), await made()];
    if (own !== undefined) await money.db.transaction((tx) => setDailyLimit(tx, fan, own));
    expect(await catchErrorCode(spend(fan, creator, limit + 1))).toBe('FORBIDDEN');
    expect(await catchErrorCode(spend(fan, creator, limit - 100))).toBeUndefined();
    expect(await catchErrorCode(spend(fan, creator, 101))).toBe('FORBIDDEN');
    expect(await balance(fan)).toBe(2 * limit + 100);
    expect(await catchErrorCode(spend(fan, creator, 100))).toBeUndefined();
    expect(await catchErrorCode(spend(fan, creator, 1))).toBe('FORBIDDEN');
    const midnight = new Date('2026-03-05T00:00:00.000Z');
    expect(await catchErrorCode(spend(fan, creator, 100, { at: new Date(midnight.getTime() - 1) }))).toBe('FORBIDDEN');
    expect(await catchErrorCode(spend(fan, creator, limit, { at: midnight }))).toBeUndefined();
  });

  it('is idempotent per operation id, and another request under the same id is refused', async () => {
    const [fan, creator] = [await money.fan(1_000), await made()];
    const operationId = randomUUID();
    const input = name.startsWith('a purchase') ? { operationId, subjectId: randomUUID() } : { operationId };
    await spend(fan, creator, 300, input);
    await spend(fan, creator, 300, input);
    expect(await balance(fan)).toBe(700);
    expect(await catchErrorCode(spend(fan, creator, 301, input))).toBe('CONFLICT');
    expect(await balance(fan)).toBe(700);
    const other = await money.fan(1_000);
    expect(await catchErrorCode(spend(other, creator, 301, input))).toBeUndefined();
  });
});

it('extending a hold is refused under the same conditions as creating one', async () => {
  const [fan, creator] = [await money.fan(2 * LIMIT), await newCreator()];
  expect(await catchErrorCode(extending(await money.fan(100), creator, 101))).toBe('INSUFFICIENT_FUNDS');
  expect(await catchErrorCode(extending(await money.fan(100), creator, 100))).toBeUndefined();
  expect(await catchErrorCode(extending(fan, creator, LIMIT + 1))).toBe('FORBIDDEN');
  expect(await catchErrorCode(extending(fan, creator, LIMIT))).toBeUndefined();
  const { id } = await money.db.transaction((tx) =>
    holdFunds(tx, {
      ...{ fanId: fan, amountCents: 100, purpose: 'test', operationId: randomUUID() },
      ...{ expiresAt: addDays(2), at: addDays(1) },
    }),
  );
  await money.db.transaction((tx) => setSpendingBlocked(tx, fan, true));
  const extension = { holdId: id, amountCents: 100, expiresAt: addDays(2), at: addDays(1) };
  expect(await catchErrorCode(money.db.transaction((tx) => extendFunds(tx, extension)))).toBe('FORBIDDEN');
});

describe('the spending of a day', () => {
  const spent = async (fan: string, at: Date) => (await getFanWallet(money.db, fan, at)).spentTodayCents;
  const placeHold = (fanId: string, amountCents: number, at: Date) =>
    money.db.transaction((tx) =>
      holdFunds(tx, {
        ...{ fanId, amountCents, purpose: 'test', operationId: randomUUID(), expiresAt: addDays(1, at), at },
      }),
    );
  const release = (id: string, at: Date) => money.db.transaction((tx) => releaseHold(tx, id, at));

  it('decreases by a hold released on the same day, but not by a hold from the day before', async () => {
    const [fan, creator] = [await money.fan(10_000), await paidCreator()];
    const today = await placeHold(fan, 600, NOON);
    await alone(fan, creator, 1_000);
    expect(await spent(fan, NOON)).toBe(1_600);
    await release(today.id, NOON);
    expect(await spent(fan, NOON)).toBe(1_000);
    const yesterday = await placeHold(fan, 600, NOON);
    await alone(fan, creator, 1_000, { at: addDays(1) });
    await release(yesterday.id, addDays(1));
    expect(await spent(fan, addDays(1))).toBe(1_000);
  });

  it('decreases only by today’s part of a hold that was extended over midnight', async () => {
    const [fan, creator] = [await money.fan(10_000), await paidCreator()];
    const { id } = await placeHold(fan, 600, NOON);
    await alone(fan, creator, 1_000, { at: addDays(1) });
    const extension = { holdId: id, amountCents: 300, expiresAt: addDays(2), at: addDays(1) };
    await money.db.transaction((tx) => extendFunds(tx, extension));
    await money.db.transaction((tx) => extendFunds(tx, extension));
    expect(await spent(fan, addDays(1))).toBe(1_600);
    const capture = { kind: 'call', holdId: id, creatorId: creator, subjectId: null, grossCents: 700, at: addDays(1) };
    expect(await money.db.transaction((tx) => captureFunds(tx, capture))).toMatchObject({ releasedCents: 500 });
    expect(await spent(fan, addDays(1))).toBe(1_100);
    const whole = await placeHold(fan, 600, addDays(1));
    await money.db.transaction((tx) =>
      extendFunds(tx, { holdId: whole.id, amountCents: 300, expiresAt: addDays(3), at: addDays(2) }),
    );
    await alone(fan, creator, 1_000, { at: addDays(2) });
    await release(whole.id, addDays(2));
    expect(await spent(fan, addDays(2))).toBe(1_000);
  });
});

describe('a charge with a price of the buyer’s choice', () => {
  it.each([alone, within])('is refused beyond the limits of its kind, on the field amount', async (spend) => {
    const [fan, creator] = [await money.fan(50_000), await money.creator()];
    for (const cents of [99, 20_001])
      await expect(spend(fan, creator, cents, { priceKind: 'tip' })).rejects.toMatchObject({
        code: 'VALIDATION',
        data: { error: [{ field: 'amount', message: 'Amount must be between $1.00 and $200.00' }] },
      });
    for (const cents of [100, 20_000])
      expect(await catchErrorCode(spend(fan, creator, cents, { priceKind: 'tip' }))).toBeUndefined();
    expect((await getFanWallet(money.db, fan, NOON)).availableCents).toBe(29_900);
  });

  it('has no limits when the price was set before', async () => {
    const [fan, creator] = [await money.fan(50_000), await money.creator()];
    expect(await catchErrorCode(alone(fan, creator, 99))).toBeUndefined();
    expect(await catchErrorCode(alone(fan, creator, 20_001))).toBeUndefined();
  });
});

it('a repeated charge without a note equals one with an empty note', async () => {
  const [fan, creator] = [await money.fan(1_000), await money.creator()];
  const input = createTipCharge(fan, creator, 300);
  const { transactionId } = await chargeFanNow(money.db, input);
  expect(await chargeFanNow(money.db, { ...input, note: '' })).toMatchObject({ outcome: 'replayed', transactionId });
  expect((await findSale(money.db, transactionId))?.note).toBe('');
});

describe('an operation id', () => {
  it('that another request already used cannot charge', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const input = createTipCharge(fan, creator, 300);
    const key = { actor_id: fan, operation_id: input.operationId, request_hash: Buffer.alloc(32) };
    await money.db.query.insertInto('idempotency_keys').values(key).execute();
    expect(await catchErrorCode(chargeFanNow(money.db, input))).toBe('CONFLICT');
    expect((await getFanWallet(money.db, fan, NOON)).availableCents).toBe(1_000);
  });

  it('belongs to one fan, so another fan is charged under the same id', async () => {
    const [one, other] = [await money.fan(1_000), await money.fan(1_000)];
    const input = createTipCharge(one, await money.creator(), 300);
    const first = await chargeFanNow(money.db, input);
    // Earlier operations are looked up for a creator who was never paid before.
    const second = await chargeFanNow(money.db, { ...input, fanId: other, creatorId: await money.creator() });
    expect(second).toMatchObject({ outcome: 'made', balanceCents: 700 });
    expect(second.transactionId).not.toBe(first.transactionId);
  });
});

describe('a post that the fan owns', () => {
  it('is not charged again, and the answer has the balance of now', async () => {
    const [fan, creator, post] = [await money.fan(5_000), await money.creator(), randomUUID()];
    await chargeFanNow(money.db, createUnlockCharge(fan, creator, post));
    const { balanceCents, balanceLine } = await chargeFanNow(money.db, createTipCharge(fan, creator, 300));
    expect(await chargeFanNow(money.db, createUnlockCharge(fan, creator, post))).toMatchObject({
      ...{ outcome: 'owned', grossCents: 1_200, balanceCents, balanceLine },
    });
  });

  it.each([paidCreator, newCreator])('can be tipped as often as the fan likes', async (make) => {
    const [fan, creator, post] = [await money.fan(5_000), await paidCreator(), randomUUID()];
    await chargeFanNow(money.db, createUnlockCharge(fan, creator, post));
    const receiver = await make();
    for (const spend of [alone, within]) {
      const tip = { tipType: 'post', subjectId: post };
      expect(await spend(fan, receiver, 300, tip)).toMatchObject({ outcome: 'made', grossCents: 300 });
    }
    expect((await getFanWallet(money.db, fan, NOON)).availableCents).toBe(3_200);
  });
});

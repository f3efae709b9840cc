import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { buildReversalFields, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createPaidDeposit, requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOON = new Date('2026-11-18T12:00:00Z');

let app: TestApp;
let fan: TestUser;
let creator: TestUser;

beforeAll(async () => {
  app = await createTestApp({ now: NOON });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator', { name: 'Inês Valadão' })]);
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await requireCleanLedger(app);
});

const key = () => ({ 'idempotency-key': randomUUID() });

function tip(body: object, headers: Record<string, string> = {}, by = fan) {
  return by.inject('POST', `/api/tip/customer-send/${creator.id}`, { type: 'profile', ...body }, headers);
}

async function balance(): Promise<number> {
  return (await fan.inject('GET', '/api/customer/wallet')).json<{ available: number }>().available;
}

describe('tips', () => {
  test('move money from the fan to the creator minus the fee and return the balance', async () => {
    await createPaidDeposit(app, fan, 300);
    const response = await tip({ amount: 20, note: '  Encore!  ' });
    expect(response.json()).toEqual({ deposit: 280, depositRevision: 2, transactionId: expect.any(String) });
    expect((await creator.inject('GET', '/api/creator/balance')).json()).toMatchObject({ pending: 18, available: 0 });
    const { data } = (await creator.inject('GET', '/api/creator/earnings')).json();
    expect(data).toMatchObject([
      {
        kind: 'tip',
        gross: 20,
        platformFee: 2,
        feePercent: 10,
        net: 18,
        note: 'Encore!',
        detail: 'on profile',
        isReversed: false,
      },
    ]);
  });

  test('are charged once per key under concurrency, and another amount is refused', async () => {
    await createPaidDeposit(app, fan, 100);
    const headers = key();
    const responses = await Promise.all(Array.from({ length: 8 }, () => tip({ amount: 20 }, headers)));
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1);
    expect(await balance()).toBe(80);
    expect((await tip({ amount: 21 }, headers)).statusCode).toBe(409);
  });

  test('return the stored result on retry after the creator was blocked', async () => {
    await createPaidDeposit(app, fan, 100);
    const headers = key();
    const first = (await tip({ amount: 20 }, headers)).json();
    await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', creator.id).execute();
    app.clock.advance(60_000);
    expect((await tip({ amount: 20 })).statusCode).toBe(404);
    expect((await tip({ amount: 20 }, headers)).json()).toEqual(first);
    expect(await balance()).toBe(80);
  });

  test('that race for the last money succeed only as far as it lasts', async () => {
    await createPaidDeposit(app, fan, 100);
    const responses = await Promise.all(Array.from({ length: 12 }, () => tip({ amount: 15 }, key())));
    const codes = responses.map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 200)).toHaveLength(6);
    expect(codes.filter((code) => code === 402)).toHaveLength(6);
    expect(await balance()).toBe(10);
  });

  test.each([
    [{ amount: 0.99 }],
    [{ amount: 200.01 }],
    [{ amount: 1.001 }],
    [{ amount: 5, type: 'street' }],
    [{ amount: 5, note: 'x'.repeat(201) }],
    [{ amount: Number.NaN }],
    [{}],
  ])('with %j are refused by input validation', async (body) => {
    expect((await tip(body)).statusCode).toBe(400);
  });

  test('are accepted only for active creators', async () => {
    await createPaidDeposit(app, fan, 100);
    const blocked = await app.signUp('creator');
    await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', blocked.id).execute();
    for (const id of [blocked.id, fan.id, randomUUID(), 'x']) {
      expect(
        (await fan.inject('POST', `/api/tip/customer-send/${id}`, { amount: 5, type: 'profile' })).statusCode,
      ).toBe(404);
    }
    expect((await tip({ amount: 5 }, {}, creator)).statusCode).toBe(403);
    expect(await balance()).toBe(100);
  });

  test('on a post require a post of that creator that the fan can see', async () => {
    await createPaidDeposit(app, fan, 100);
    const postId = await makePost(app.ctx, creator.id, { caption: 'Blue hour\nmore' });
    const other = await app.signUp('creator');
    const foreign = await makePost(app.ctx, other.id);
    for (const wrong of [foreign, randomUUID(), 'x'])
      expect((await tip({ amount: 5, type: 'post', postId: wrong })).statusCode).toBe(404);
    expect((await tip({ amount: 5, type: 'post', postId })).statusCode).toBe(200);
    const history = (await fan.inject('GET', '/api/customer/transaction-history?type=tip')).json();
    expect(history.data).toMatchObject([
      { title: 'Tip to Inês Valadão', detail: 'on “Blue hour”', href: `/post/${postId}`, amount: -5, balance: 95 },
    ]);
  });

  test('beyond the daily limit are refused with an explanation and possible again the next day', async () => {
    await createPaidDeposit(app, fan, 800);
    for (const amount of [200, 200, 90]) expect((await tip({ amount })).statusCode).toBe(200);
    const over = await tip({ amount: 20 });
    expect(over.statusCode).toBe(403);
    expect(over.json().message).toBe('This is above your daily spending limit of $500.00. It resets at midnight UTC.');
    expect((await fan.inject('GET', '/api/customer/wallet')).json()).toEqual({
      available: 310,
      depositRevision: expect.any(Number),
      held: 0,
      spentToday: 490,
      dailyLimit: 500,
      owed: 0,
      parts: [],
      blocked: null,
    });
    app.clock.advance(DAY_MS);
    expect((await tip({ amount: 20 })).statusCode).toBe(200);
  });

  test('are refused without funds', async () => {
    expect((await tip({ amount: 5 })).json().code).toBe('INSUFFICIENT_FUNDS');
  });
});

describe('history and receipts', () => {
  test('list every movement with the balance after it', async () => {
    const { saleId } = await createPaidDeposit(app, fan, 300);
    const postId = await makePost(app.ctx, creator.id, { caption: 'Night study', priceCents: 1200 });
    await tip({ amount: 20 });
    await fan.inject('POST', `/api/post/unlock/${postId}`, {});
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '102.00'));
    const { data, totalCount } = (await fan.inject('GET', '/api/customer/transaction-history')).json();
    expect(totalCount).toBe(4);
    expect(data).toMatchObject([
      {
        type: 'refund',
        amount: -100,
        balance: 168,
        title: 'Refund to your card',
        detail: 'Visa ending in 4417',
        otherUser: null,
      },
      {
        type: 'post',
        amount: -12,
        balance: 268,
        title: 'Night study',
        detail: 'post by Inês Valadão',
        href: `/post/${postId}`,
      },
      {
        type: 'tip',
        amount: -20,
        balance: 280,
        title: 'Tip to Inês Valadão',
        detail: 'on profile',
        otherUser: { id: creator.id, name: 'Inês Valadão' },
      },
      {
        type: 'deposit',
        amount: 300,
        balance: 300,
        title: 'Deposit, $300.00',
        detail: 'Visa ending in 4417',
        otherUser: null,
      },
    ]);
    const list = async (query: string) =>
      (await fan.inject('GET', `/api/customer/transaction-history?${query}`)).json();
    expect((await list('type=post')).data).toHaveLength(1);
    expect((await list('minAmount=100')).totalCount).toBe(2);
    const page = await list('limit=3');
    expect(page.data).toHaveLength(3);
    expect((await list(`limit=3&offset=${page.nextOffset}`)).data).toMatchObject([{ type: 'deposit' }]);
    expect((await list('limit=3&offset=3')).data).toMatchObject([{ type: 'deposit' }]);
  });

  test('show a refunded sale with the restored balance and deduct it from the creator', async () => {
    await createPaidDeposit(app, fan, 100);
    const { transactionId } = (await tip({ amount: 20 })).json();
    const operation = { saleId: transactionId, actorId: randomUUID(), operationId: randomUUID(), at: app.clock.now() };
    const { refundId } = await app.ctx.db.transaction((tx) => refundSale(tx, operation));
    const { data } = (await fan.inject('GET', '/api/customer/transaction-history?limit=1')).json();
    expect(data).toMatchObject([
      {
        id: refundId,
        type: 'refund',
        amount: 20,
        balance: 100,
        title: 'Refund: Tip to Inês Valadão',
        detail: 'refunded to your balance',
      },
    ]);
    expect((await fan.inject('GET', `/api/transactions/${refundId}`)).json()).toMatchObject({
      amount: 20,
      split: null,
    });
    expect((await creator.inject('GET', `/api/transactions/${refundId}`)).statusCode).toBe(404);
    expect((await creator.inject('GET', '/api/creator/earnings')).json().data).toMatchObject([
      { id: transactionId, isReversed: true },
    ]);
    expect((await creator.inject('GET', '/api/creator/balance')).json()).toMatchObject({
      pending: 0,
      thisWeek: 0,
      nextClearsAt: null,
    });
  });

  test('show a partial refund equally in list, totals, chart, balance and both receipts', async () => {
    await createPaidDeposit(app, fan, 300);
    const { transactionId } = (await tip({ amount: 20 })).json();
    const operation = { actorId: creator.id, operationId: randomUUID(), at: app.clock.now() };
    await app.ctx.db.transaction((tx) => refundSale(tx, { saleId: transactionId, grossCents: 500, ...operation }));
    await app.ctx.events.waitUntilIdle();
    const get = async (path: string, by = creator) => (await by.inject('GET', `/api${path}`)).json();
    const [earned] = (await get('/creator/earnings')).data;
    expect(earned).toMatchObject({ gross: 20, net: 18, refunded: 5, netAfterRefunds: 13.5, isReversed: false });
    expect((await get('/creator/stats')).earnings).toMatchObject({ total: 13.5, today: 13.5 });
    expect((await get('/creator/chart?period=weekly')).data.at(-1)).toMatchObject({ totalEarnings: 13.5 });
    expect(await get('/creator/balance')).toMatchObject({ pending: 13.5, thisWeek: 13.5, owed: 0 });
    expect(await get(`/transactions/${transactionId}`)).toMatchObject({
      amount: 13.5,
      lines: expect.arrayContaining([{ label: 'Refunded', value: '$5.00' }]),
    });
    expect((await get('/customer/transaction-history', fan)).data).toMatchObject([{ amount: 5 }, { amount: -20 }, {}]);
    expect(await balance()).toBe(285);
  });

  test('open a sale receipt for both sides and a deposit receipt for the fan only', async () => {
    const paid = await createPaidDeposit(app, fan, 300);
    const { transactionId } = (await tip({ amount: 20, note: 'Encore!' })).json();
    const own = (await fan.inject('GET', `/api/transactions/${transactionId}`)).json();
    expect(own).toMatchObject({
      id: transactionId,
      type: 'tip',
      amount: -20,
      balance: 280,
      split: { gross: 20, platformFee: 2, feePercent: 10, creator: 18 },
    });
    expect(own.lines).toContainEqual({ label: 'To', value: 'Inês Valadão' });
    const creatorView = (await creator.inject('GET', `/api/transactions/${transactionId}`)).json();
    expect(creatorView).toMatchObject({ amount: 18, split: { creator: 18 } });
    expect(creatorView.balance).toBe(0);
    const depositId = paid.deposit.transaction_id;
    expect((await fan.inject('GET', `/api/transactions/${depositId}`)).json()).toMatchObject({
      type: 'deposit',
      amount: 300,
      split: null,
    });
    const [stranger, otherCreator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
    for (const [who, id] of [
      [stranger, transactionId],
      [otherCreator, transactionId],
      [creator, depositId],
      [stranger, depositId],
      [fan, randomUUID()],
      [fan, 'x'],
    ] as const) {
      expect((await who.inject('GET', `/api/transactions/${id}`)).statusCode).toBe(404);
    }
  });
});

describe('the figures of a creator', () => {
  test('show earnings by UTC day in stats, balance and chart', async () => {
    await createPaidDeposit(app, fan, 300);
    await tip({ amount: 10 });
    app.clock.advance(DAY_MS);
    await tip({ amount: 20 });
    await tip({ amount: 30 });
    const stats = (await creator.inject('GET', '/api/creator/stats')).json();
    expect(stats).toMatchObject({
      earnings: { total: 54, today: 45, yesterday: 9 },
      transactions: { total: 3, today: 2, yesterday: 1 },
    });
    const { nextClearsAt, ...rest } = (await creator.inject('GET', '/api/creator/balance')).json();
    expect(rest).toMatchObject({ pending: 54, available: 0 });
    expect(nextClearsAt).toBe(new Date(NOON.getTime() + 7 * DAY_MS).toISOString());
    const { data } = (await creator.inject('GET', '/api/creator/chart?period=weekly')).json();
    expect(data).toHaveLength(7);
    expect(data.at(-1)).toMatchObject({ date: '2026-11-19', totalEarnings: 45, transactionCount: 2 });
    expect(data.at(-2)).toMatchObject({ totalEarnings: 9, transactionCount: 1 });
    expect((await creator.inject('GET', '/api/creator/chart?period=monthly')).json().data).toHaveLength(12);
    expect((await creator.inject('GET', '/api/creator/chart?period=yearly')).json().data.at(-1)).toMatchObject({
      year: '2026',
      totalEarnings: 54,
    });
    expect((await fan.inject('GET', '/api/creator/stats')).statusCode).toBe(403);
  });

  test('list earnings with fan, kind and split, newest first', async () => {
    await createPaidDeposit(app, fan, 300);
    const postId = await makePost(app.ctx, creator.id, { caption: 'Night study', priceCents: 1200 });
    await tip({ amount: 10 });
    app.clock.advance(1000);
    await fan.inject('POST', `/api/post/unlock/${postId}`, {});
    const list = async (query: string) => (await creator.inject('GET', `/api/creator/earnings?${query}`)).json();
    expect(await list('')).toMatchObject({
      totalCount: 2,
      data: [
        {
          kind: 'post',
          gross: 12,
          net: 10.8,
          detail: 'Night study',
          href: `/post/${postId}`,
          fan: { name: fan.username },
        },
        { kind: 'tip', gross: 10, net: 9 },
      ],
    });
    expect((await list('kind=tip')).totalCount).toBe(1);
  });
});

test('a balance above the price limit of a call is returned normally', async () => {
  const rich = await app.signUp('customer');
  await createDeposit(app.ctx.db, rich.id, 12_345_678_901);
  const paths = ['/api/auth/user', '/api/customer/wallet', '/api/customer/transaction-history'];
  const responses = await Promise.all(paths.map((path) => rich.inject('GET', path)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(responses[1]?.json().available).toBe(123_456_789.01);
});

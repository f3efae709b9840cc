import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { creditDeposit, setSpendingBlocked } from '../../ledger/ledger/index.ts';
import { buildSaleFields, createProcessorId, postWebhook } from '../ccbill/testing.ts';
import { expireOrders } from './service.ts';
import { createOrder, createPaidDeposit, getDepositRow, requireCleanLedger, waitUntil } from './testing.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let fan: TestUser;
let creator: TestUser;

const events: EventPayload<'deposit.changed'>[] = [];

beforeAll(async () => {
  app = await createTestApp();
  const collect = ({ payload }: { payload: EventPayload<'deposit.changed'> }) => void events.push(payload);
  app.ctx.events.addBroadcastHandler('deposit.changed', 'test.hear', ({ fanId }) => fanId, collect);
});
afterAll(() => app.close());
beforeEach(async () => {
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await requireCleanLedger(app);
});

async function isWaiting(): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return ((await app.ctx.db.pool.query(waiting)).rowCount ?? 0) > 0;
}

const key = () => ({ 'idempotency-key': randomUUID() });

function deposit(body: object, headers: Record<string, string> = {}, by = fan) {
  return by.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', ...body }, headers);
}

async function balance(): Promise<number> {
  return (await fan.inject('GET', '/api/customer/wallet')).json<{ available: number }>().available;
}

describe('starting a deposit', () => {
  test('costs $10.20 per credit, and adds the fee to a free amount', async () => {
    const credits = await deposit({ amount: 300, credits: 30 });
    expect(await getDepositRow(app, credits.json().depositId)).toMatchObject({
      payable_cents: 30_600,
      fee_cents: 600,
      credits: 30,
      status: 'pending',
    });
    expect(new URL(credits.json().paymentUrl).searchParams.get('initialPrice')).toBe('306.00');
    const amount = await deposit({ amount: 300 });
    expect(await getDepositRow(app, amount.json().depositId)).toMatchObject({
      payable_cents: 30_600,
      fee_cents: 600,
      credits: null,
    });
    expect(await balance()).toBe(0);
  });

  test('returns the same order for the same key, also concurrently, and refuses the key for another body', async () => {
    const headers = key();
    const answers = await Promise.all(Array.from({ length: 6 }, () => deposit({ amount: 300, credits: 30 }, headers)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect((await deposit({ amount: 300 }, headers)).statusCode).toBe(409);
    expect((await deposit({ amount: 600, credits: 60 }, headers)).statusCode).toBe(409);
    const list = await fan.inject('GET', '/api/customer/deposite-history');
    expect(list.json().totalCount).toBe(1);
    expect((await deposit({ amount: 300 }, headers, await app.signUp('customer'))).statusCode).toBe(200);
  });

  test('refuses a key that was used for a tip, and a tip refuses a key of a deposit', async () => {
    await createPaidDeposit(app, fan, 100);
    const tip = (headers: Record<string, string>) =>
      fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 5, type: 'profile' }, headers);
    const [paid, tipped] = [key(), key()];
    expect((await deposit({ amount: 300 }, paid)).statusCode).toBe(200);
    expect([(await tip(paid)).statusCode, (await tip(tipped)).statusCode]).toEqual([409, 200]);
    expect((await deposit({ amount: 300 }, tipped)).json().code).toBe('CONFLICT');
    expect([(await tip(tipped)).statusCode, await balance()]).toEqual([200, 95]);
  });

  test.each([
    [{ amount: 299, credits: 30 }, 400, 'amount'],
    [{ amount: 9.99 }, 400, 'amount'],
    [{ amount: 900.01 }, 400, 'amount'],
    [{ amount: 10.005 }, 400, 'amount'],
    [{ amount: 10.000000001 }, 400, 'amount'],
    [{ amount: -50 }, 400, 'amount'],
    [{ amount: '50' }, 400, 'amount'],
    [{ amount: 50, credits: 5 }, 400, 'credits'],
    [{ amount: 50, paymentProvider: 'other' }, 400, 'paymentProvider'],
    [{}, 400, 'amount'],
  ])('refuses %j with %i and an error on %s', async (body, status, field) => {
    const answer = await deposit(body);
    expect([answer.statusCode, answer.json().error[0].field]).toEqual([status, field]);
  });

  test('returns the return path until the order has expired', async () => {
    const path = '/profile/ana?tip=resume&tipAmount=20';
    const { depositId } = (await deposit({ amount: 50, returnPath: path })).json();
    const findPath = async () => (await fan.inject('GET', `/api/customer/deposit/${depositId}`)).json().returnPath;
    expect(await findPath()).toBe(path);
    expect((await deposit({ amount: 50 })).statusCode).toBe(200);
    app.clock.advance(2 * DAY_MS + 1);
    await expireOrders(app.ctx);
    expect(await findPath()).toBeNull();
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/..//evil.example', 'post/1', '/a\nb'])(
    'ignores the return path %j, which is no page of this site',
    async (path) => {
      const { depositId } = (await deposit({ amount: 50, returnPath: path })).json();
      const created = (await fan.inject('GET', `/api/customer/deposit/${depositId}`)).json();
      expect(created).toMatchObject({ id: depositId, returnPath: null });
    },
  );

  test('refuses a return path of more than 2,000 characters', async () => {
    expect((await deposit({ amount: 50, returnPath: `/${'a'.repeat(2_000)}` })).statusCode).toBe(400);
  });

  test('is refused with a reason above the limit of the processor', async () => {
    const limited = await createTestApp({ env: { CCBILL_MAX_USD: '100' } });
    try {
      const payer = await limited.signUp('customer');
      const answer = await payer.inject('POST', '/api/customer/deposite-fund', {
        paymentProvider: 'ccbill',
        amount: 300,
        credits: 30,
      });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().message).toBe('Maximum per payment is $100.00. Choose a smaller amount.');
      expect((await payer.inject('GET', '/api/customer/deposit-options')).json()).toEqual({
        max: 100,
        min: 2.95,
        isTestMode: true,
        hasSubscriptions: true,
        descriptor: 'CCBill.com',
        creditValue: 10,
      });
      expect(
        (await payer.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: 98 }))
          .statusCode,
      ).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test('is refused for fans blocked by an operator, creators and visitors', async () => {
    await app.ctx.db.transaction((tx) => setSpendingBlocked(tx, fan.id, true));
    expect((await deposit({ amount: 50 })).json()).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('Spending is paused on this account.'),
    });
    expect((await deposit({ amount: 50 }, {}, creator)).statusCode).toBe(403);
    expect(
      (await app.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: 50 })).statusCode,
    ).toBe(401);
  });

  test('fails after two days without payment', async () => {
    const row = await createOrder(app, fan, 50);
    await expireOrders(app.ctx);
    expect((await getDepositRow(app, row.id)).status).toBe('pending');
    app.clock.advance(2 * DAY_MS + 1);
    await expireOrders(app.ctx);
    expect(await getDepositRow(app, row.id)).toMatchObject({
      status: 'failed',
      reason: 'The payment timed out.',
    });
    const mails = app.ctx.db.query.selectFrom('development_mail').select('subject').where('recipient', '=', fan.email);
    expect((await mails.execute()).filter(({ subject }) => /deposit/i.test(subject))).toEqual([]);
  });

  test('reports the current balance when an order expires, and does not block other orders', async () => {
    const other = await app.signUp('customer');
    const others = await createOrder(app, other, 50);
    app.clock.advance(1000);
    const own = await createOrder(app, fan, 50);
    app.clock.advance(2 * DAY_MS + 1);
    let isDone = false;
    let expiring: Promise<void> | undefined;
    await app.ctx.db.transaction(async (tx) => {
      const ids = { ref: randomUUID(), eventKey: randomUUID() };
      await creditDeposit(tx, { fanId: fan.id, amountCents: 5_000, feeCents: 0, provider: 'ccbill', ...ids });
      expiring = expireOrders(app.ctx).then(() => {
        isDone = true;
      });
      await waitUntil(async () => isDone || (await isWaiting()), 'the wait for the wallet');
      expect((await getDepositRow(app, others.id)).status).toBe('failed');
    });
    await expiring;
    await app.ctx.events.waitUntilIdle();
    const mine = events.filter(({ fanId }) => fanId === fan.id);
    expect(mine).toEqual([
      {
        depositId: own.id,
        fanId: fan.id,
        status: 'failed',
        change: 'expired',
        balanceCents: 5_000,
        balanceLine: 1,
        transactionId: null,
      },
    ]);
  });
});

describe('deposit history', () => {
  test('lists own deposits, most recently changed first, with filters and pages', async () => {
    const first = await createOrder(app, fan, 50);
    app.clock.advance(1000);
    const second = await createOrder(app, fan, 100);
    app.clock.advance(1000);
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, first, createProcessorId()));
    const list = async (query: string, by = fan) =>
      (await by.inject('GET', `/api/customer/deposite-history?${query}`)).json();
    expect((await list('')).data.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
    expect(await list('status=pending')).toMatchObject({
      totalCount: 1,
      data: [{ id: second.id, status: 'pending', card: null }],
    });
    expect((await list('minAmount=100')).data).toHaveLength(1);
    const page = await list('limit=1');
    expect(page).toMatchObject({ limit: 1, totalCount: 2, nextOffset: expect.any(String) });
    const rest = await list(`limit=1&offset=${page.nextOffset}`);
    expect(rest.data[0].id).toBe(second.id);
    expect(rest.nextOffset).toBeUndefined();
    expect((await list('', await app.signUp('customer'))).totalCount).toBe(0);
    expect((await fan.inject('GET', '/api/customer/deposite-history?offset=cAAAAAAAAAAAA')).statusCode).toBe(400);
  });

  test('returns the same error for another user’s deposit, a malformed id and an unknown id', async () => {
    const row = await createOrder(app, fan, 50);
    const stranger = await app.signUp('customer');
    for (const id of [row.id, row.order_id, randomUUID(), 'x']) {
      expect((await stranger.inject('GET', `/api/customer/deposit/${id}`)).statusCode).toBe(404);
    }
    expect((await fan.inject('GET', `/api/customer/deposit/${row.order_id}`)).json().id).toBe(row.id);
  });
});

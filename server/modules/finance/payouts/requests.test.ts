import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { asCents } from '@stagedoor/contract/shared/money.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects } from '../../../testing/inbox.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { blockAccount, restrictActivity } from '../../identity/accounts/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { requestPayout } from './index.ts';
import { ACH, createEarnings, createPayee, createPayoutMethod, expectCleanLedger, requestPayoutAs } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await expectCleanLedger(app);
});
afterAll(() => app.close());

const HOUR_MS = 60 * 60_000;
const available = (user: TestUser) => getBalance(app.ctx.db, account.available(user.id));
const reserved = (user: TestUser) => getBalance(app.ctx.db, account.reserved(user.id));
const cancel = (user: TestUser, id: string) => user.inject('POST', `/api/creator/payouts/${id}/cancel`);

describe('a payout request', () => {
  test('reserves the money, shows its history, sends a mail and restores the money when it is canceled', async () => {
    const creator = await createPayee(app, 10_000);
    const method = await createPayoutMethod(app, creator);
    const answer = await requestPayoutAs(creator, 60, method.id);
    expect(answer.json()).toMatchObject({
      ...{ status: 'requested', transfer: null, amount: 60, fee: 0, net: 60, canCancel: true, isAutomatic: false },
      method: { kind: 'ach', label: 'Checking Account ending in 7899, routing 091000019' },
      timeline: [{ event: 'requested', label: 'Requested', at: app.clock.now().toISOString() }],
    });
    expect([await available(creator), await reserved(creator)]).toEqual([4_000, 6_000]);
    const { id } = answer.json();
    expect((await creator.inject('GET', '/api/creator/payout-overview')).json()).toMatchObject({
      available: 40,
      reserved: 60,
      minimum: { ach: 20, crypto: 50 },
      problem: null,
    });
    app.clock.advance(1_000);
    const [one, other] = await Promise.all([cancel(creator, id), cancel(creator, id)]);
    expect([one?.json().status, other?.json().status]).toEqual(['cancel', 'cancel']);
    expect([await available(creator), await reserved(creator)]).toEqual([10_000, 0]);
    expect((await creator.inject('GET', `/api/creator/payouts/${id}`)).json().timeline).toHaveLength(2);
    expect(await listMailSubjects(app, creator)).toEqual([
      'Your payout methods were changed',
      'You requested a payout',
    ]);
  });

  test('is created once per key and never exceeds the available amount under concurrency', async () => {
    const creator = await createPayee(app, 10_000);
    const method = await createPayoutMethod(app, creator);
    const key = randomUUID();
    const twice = await Promise.all([1, 2, 3].map(() => requestPayoutAs(creator, 30, method.id, key)));
    expect(new Set(twice.map((answer) => answer.json().id)).size).toBe(1);
    expect((await requestPayoutAs(creator, 31, method.id, key)).statusCode).toBe(409);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => requestPayoutAs(creator, 30, method.id)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 402, 402, 402]);
    expect([await available(creator), await reserved(creator)]).toEqual([1_000, 9_000]);
  });

  test('that races with a refund never pays out money that is missing', async () => {
    const creator = await createPayee(app, 0);
    const method = await createPayoutMethod(app, creator);
    const { saleId } = await createEarnings(app, creator.id, 10_000);
    const refund = app.ctx.db.transaction((tx) =>
      refundSale(tx, { saleId, actorId: creator.id, operationId: randomUUID(), at: app.clock.now() }),
    );
    const [answer] = await Promise.all([requestPayoutAs(creator, 90, method.id), refund]);
    const owed = await getBalance(app.ctx.db, account.receivable(creator.id));
    expect([await reserved(creator), owed]).toEqual(answer.statusCode === 200 ? [9_000, 9_000] : [0, 0]);
  });

  test('that is canceled repays the debt of the creator first, and a new request is refused while a debt remains', async () => {
    const creator = await createPayee(app, 5_000);
    const method = await createPayoutMethod(app, creator);
    const { saleId } = await createEarnings(app, creator.id, 10_000);
    const { id } = (await requestPayoutAs(creator, 120, method.id)).json();
    await app.ctx.db.transaction((tx) =>
      refundSale(tx, { saleId, actorId: creator.id, operationId: randomUUID(), at: app.clock.now() }),
    );
    expect(await getBalance(app.ctx.db, account.receivable(creator.id))).toBe(7_000);
    const refused = await requestPayoutAs(creator, 20, method.id);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringMatching(/^You have a negative balance/),
    ]);
    await cancel(creator, id);
    expect([await available(creator), await getBalance(app.ctx.db, account.receivable(creator.id))]).toEqual([
      5_000, 0,
    ]);
  });
});

test('a creator with a payout restriction can request again exactly when it ends', async () => {
  const creator = await createPayee(app, 5_000);
  const method = await createPayoutMethod(app, creator);
  const until = new Date(app.clock.now().getTime() + 60_000);
  await app.ctx.db.transaction((tx) => restrictActivity(tx, creator.id, 'payouts', until));
  app.ctx.sessions.invalidate({ userIds: [creator.id] });
  expect((await requestPayoutAs(creator, 20, method.id)).statusCode).toBe(403);
  app.clock.set(until);
  expect((await requestPayoutAs(creator, 20, method.id)).statusCode).toBe(200);
});

describe('refusals', () => {
  test('explain the problem in plain language and move nothing', async () => {
    const creator = await createPayee(app, 10_000);
    const other = await createPayee(app, 0);
    const method = await createPayoutMethod(app, creator);
    const foreign = await createPayoutMethod(app, other);
    const bitcoin: PayoutDetails = {
      kind: 'crypto',
      coin: 'BTC',
      network: 'bitcoin',
      address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    };
    const coin = await createPayoutMethod(app, creator, bitcoin);
    const requestMessage = async (amount: number, methodId: string, user = creator) => {
      const answer = await requestPayoutAs(user, amount, methodId);
      return `${answer.statusCode} ${answer.json().message}`;
    };
    expect(await requestMessage(19.99, method.id)).toBe('400 Minimum payout is $20.00.');
    expect(await requestMessage(49.99, coin.id)).toBe('400 Minimum payout is $50.00.');
    expect(await requestMessage(100.01, method.id)).toBe('402 You can pay out up to $100.00 now.');
    expect(await requestMessage(20, foreign.id)).toBe('404 Payout method not found.');
    expect(await requestMessage(20, randomUUID())).toBe('404 Payout method not found.');
    expect(await requestMessage(20.001, method.id)).toMatch(/^400/);
    const fresh = await creator.inject('POST', '/api/payout-methods', {
      currentPassword: creator.password,
      details: { kind: 'paypal', email: 'Jane@Example.com' },
    });
    expect(fresh.json()).toMatchObject({ label: 'PayPal j•••@example.com', state: 'cooling' });
    expect(await requestMessage(20, fresh.json().id)).toMatch(
      /^409 For your security, you can use this new method from /,
    );
    app.clock.advance(72 * HOUR_MS);
    expect(await requestMessage(20, fresh.json().id)).toMatch(/^200/);

    const unverified = await app.signUp('creator', { isUnverified: true });
    await createEarnings(app, unverified.id, 10_000);
    const otherMethod = await createPayoutMethod(app, unverified);
    expect(await requestMessage(20, otherMethod.id, unverified)).toMatch(
      /^403 Payouts are available once you’re verified/,
    );
    await app.owner.query
      .updateTable('verifications')
      .set({ agreement_version: '2020-01-01' })
      .where('creator_id', '=', creator.id)
      .execute();
    const unsigned = 'Payouts are available once you’ve signed the latest creator agreement.';
    expect(await requestMessage(20, method.id)).toBe(`403 ${unsigned}`);
    expect((await creator.inject('GET', '/api/creator/payout-overview')).json().problem).toBe(unsigned);
    expect([await available(creator), await reserved(creator)]).toEqual([8_000, 2_000]);
    await blockAccount(app.ctx, other.id, 'forged papers');
    const input = { userId: other.id, methodId: foreign.id, amountCents: asCents(2_000), operationId: randomUUID() };
    await expect(
      app.ctx.db.transaction((tx) => requestPayout(app.ctx, tx, { ...input, source: 'earnings' })),
    ).rejects.toMatchObject({ code: 'account_blocked' });
  });

  test('of a restricted creator say when the restriction ends, and stop when it is lifted', async () => {
    const creator = await createPayee(app, 10_000);
    const method = await createPayoutMethod(app, creator);
    const until = new Date(app.clock.now().getTime() + 48 * HOUR_MS);
    await app.ctx.db.transaction((tx) => restrictActivity(tx, creator.id, 'payouts', until));
    const refused = await requestPayoutAs(creator, 20, method.id);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringMatching(/^Payouts are on hold until /),
    ]);
    expect(await reserved(creator)).toBe(0);
    await app.ctx.db.transaction((tx) => restrictActivity(tx, creator.id, 'payouts', null));
    expect((await requestPayoutAs(creator, 20, method.id)).statusCode).toBe(200);
  });

  test('do not distinguish resources of other users from missing ones', async () => {
    const [creator, other] = [await createPayee(app, 10_000), await createPayee(app, 0)];
    const method = await createPayoutMethod(app, creator);
    const { id } = (await requestPayoutAs(creator, 20, method.id)).json();
    for (const answer of [
      await other.inject('GET', `/api/creator/payouts/${id}`),
      await cancel(other, id),
      await other.inject('POST', `/api/payout-methods/${method.id}/remove`, { currentPassword: other.password }),
      await other.inject('PUT', `/api/payout-methods/${method.id}`, { currentPassword: other.password, details: ACH }),
    ])
      expect(answer.statusCode).toBe(404);
    expect((await other.inject('GET', '/api/creator/payouts')).json()).toMatchObject({ data: [], totalCount: 0 });
    expect((await creator.inject('GET', '/api/creator/payouts?status=requested&limit=10')).json().totalCount).toBe(1);
    expect((await creator.inject('GET', '/api/creator/payouts?from=2026-02-01&to=2026-01-01')).statusCode).toBe(400);
    expect((await creator.inject('GET', '/api/creator/payouts?offset=9000')).json().data).toEqual([]);
  });
});

describe('payout methods', () => {
  test('are stored once when the same one is added concurrently', async () => {
    const creator = await createPayee(app, 0);
    const details: PayoutDetails = { kind: 'paypal', email: 'mirele@example.org' };
    const add = () => creator.inject('POST', '/api/payout-methods', { currentPassword: creator.password, details });
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    expect((await add()).json().message).toBe('You’ve already added this method.');
    expect((await creator.inject('GET', '/api/payout-methods')).json().data).toHaveLength(1);
  });

  test('are encrypted and masked, and every change requires the password', async () => {
    const creator = await createPayee(app, 10_000);
    const wrong = await creator.inject('POST', '/api/payout-methods', { currentPassword: 'wrong', details: ACH });
    expect([wrong.statusCode, wrong.json().error[0].field]).toEqual([400, 'currentPassword']);
    const method = await createPayoutMethod(app, creator);
    const { rows } = await app.owner.pool.query('select m::text as row from payout_methods m where id = $1', [
      method.id,
    ]);
    expect(rows[0].row).not.toContain(Buffer.from('744567899').toString('hex'));
    expect(rows[0].row).not.toContain('744567899');
    await requestPayoutAs(creator, 20, method.id);
    const remove = () =>
      creator.inject('POST', `/api/payout-methods/${method.id}/remove`, { currentPassword: creator.password });
    expect((await remove()).statusCode).toBe(409);
    const replaced = await creator.inject('PUT', `/api/payout-methods/${method.id}`, {
      currentPassword: creator.password,
      details: { ...ACH, account: '99998888' },
    });
    expect(replaced.json()).toMatchObject({ state: 'cooling', label: expect.stringContaining('8888') });
    expect((await creator.inject('GET', '/api/payout-methods')).json().data).toHaveLength(1);
    expect((await requestPayoutAs(creator, 20, method.id)).statusCode).toBe(404);
    await app.ctx.events.waitUntilIdle();
    type Line = { kind: string; text: string; detail: string };
    const notification = (await creator.inject('GET', '/api/notifications'))
      .json()
      .data.filter((line: Line) => line.kind === 'payoutMethod');
    expect(notification.map(({ text }: Line) => text)).toEqual([
      'A payout method was replaced',
      'A payout method was added',
    ]);
    expect(notification[0].detail).toContain('8888');
  });

  test.each<[string, object]>([
    ['a routing number whose digits do not add up', { ...ACH, routing: '123456789' }],
    ['a BIC for an account at home', { ...ACH, routing: 'DEUTDEFF' }],
    [
      'an IBAN with two digits exchanged',
      { ...ACH, region: 'International', routing: 'DEUTDEFF', account: 'DE89 3704 0044 0532 0103 00' },
    ],
    [
      'an address of another network',
      { kind: 'crypto', coin: 'USDT', network: 'tron', address: '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe' },
    ],
    [
      'a network that the coin is not on',
      { kind: 'crypto', coin: 'BTC', network: 'tron', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' },
    ],
    ['a network that nobody knows', { kind: 'crypto', coin: 'USDT', network: 'zzz', address: 'x' }],
    ['no address of e-mail', { kind: 'paypal', email: 'jane' }],
  ])('refuse %s', async (_, details) => {
    const creator = await app.signUp('creator');
    const answer = await creator.inject('POST', '/api/payout-methods', { currentPassword: creator.password, details });
    expect(answer.statusCode).toBe(400);
  });
});

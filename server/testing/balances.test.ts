import { randomUUID } from 'node:crypto';
import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import type { DepositBalance } from '@stagedoor/contract/shared/money.ts';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { buildReversalFields, postWebhook } from '../modules/commerce/ccbill/testing.ts';
import { createPaidDeposit, requireCleanLedger } from '../modules/commerce/deposits/testing.ts';
import { captureFunds, holdFunds, refundSale } from '../modules/commerce/sales/index.ts';
import { makeReadyPicture } from '../modules/content/media/testing.ts';
import { makePost } from '../modules/content/posts/testing.ts';
import { seedMessage } from '../modules/messaging/chat/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
});
afterEach(() => requireCleanLedger(app));
afterAll(() => app.close());

const operation = () => ({ operationId: randomUUID(), at: app.clock.now() });
const requestJson = async (method: 'GET' | 'POST', path: string, body?: object, key: string = randomUUID()) =>
  (await fan.inject(method, path, body, method === 'GET' ? {} : { 'idempotency-key': key })).json();
const tip = (amount: number, key?: string) =>
  requestJson('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' }, key);

async function placeTestHold(): Promise<string> {
  const hold = { fanId: fan.id, amountCents: 500, purpose: 'test', expiresAt: new Date('2100-01-01'), ...operation() };
  return (await app.ctx.db.transaction((tx) => holdFunds(tx, hold))).id;
}

async function sendPaidMessage(): Promise<string> {
  const { conversationId } = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })];
  const body = { conversationId, mediaIds, price: 4 };
  return (await creator.inject('POST', '/api/message/media', body)).json().data.id;
}

type BalanceResponse = Partial<DepositBalance> & { transactionId?: string };
let lastTip = '';
let hold = '';
let paid: Awaited<ReturnType<typeof createPaidDeposit>>;
/** Returns the balance in the response, if there is one. */
const MOVEMENTS: Record<string, () => Promise<BalanceResponse | undefined>> = {
  deposit: async () => {
    paid = await createPaidDeposit(app, fan, 100);
    return undefined;
  },
  tip: async () => {
    const response: BalanceResponse = await tip(20);
    lastTip = response.transactionId ?? '';
    return response;
  },
  post: async () => requestJson('POST', `/api/post/unlock/${await makePost(app.ctx, creator.id, { priceCents: 300 })}`),
  'paid message': async () => requestJson('POST', `/api/message/purchase-chat-media/${await sendPaidMessage()}`),
  'partial refund': async () => {
    await app.ctx.db.transaction((tx) =>
      refundSale(tx, { saleId: lastTip, grossCents: 300, actorId: creator.id, ...operation() }),
    );
    return undefined;
  },
  hold: async () => {
    hold = await placeTestHold();
    return undefined;
  },
  'partial capture': async () => {
    const capture = { kind: 'call', holdId: hold, creatorId: creator.id, subjectId: null, grossCents: 200 };
    await app.ctx.db.transaction((tx) => captureFunds(tx, { ...capture, at: app.clock.now() }));
    return undefined;
  },
  'second hold': async () => {
    hold = await placeTestHold();
    return undefined;
  },
  'released hold': async () => {
    const nothing = { kind: 'call', holdId: hold, creatorId: creator.id, subjectId: null, grossCents: 0 };
    await app.ctx.db.transaction((tx) => captureFunds(tx, { ...nothing, at: app.clock.now() }));
    return undefined;
  },
  chargeback: async () => {
    await postWebhook(
      app,
      'Chargeback',
      buildReversalFields(app, paid.saleId, (paid.deposit.payable_cents / 100).toFixed(2)),
    );
    return undefined;
  },
};

it('a repeated request returns the balance revision it had, and buying an owned post the current one', async () => {
  await createPaidDeposit(app, fan, 50);
  const key = randomUUID();
  const first = await tip(5, key);
  const post = await makePost(app.ctx, creator.id, { priceCents: 300 });
  const unlocked = await requestJson('POST', `/api/post/unlock/${post}`);
  expect(await tip(5, key)).toEqual(first);
  const { deposit, depositRevision } = await tip(5);
  expect(await requestJson('POST', `/api/post/unlock/${post}`)).toMatchObject({ deposit, depositRevision });
  expect(depositRevision - unlocked.depositRevision).toBe(1);
});

it.each(Object.entries(MOVEMENTS))(
  '%s increases the balance revision by one, and all responses and events agree',
  async (_name, move) => {
    await app.ctx.events.waitUntilIdle();
    const emitSpy = vi.spyOn(app.ctx.realtime, 'emitToUser');
    const before = (await requestJson('GET', '/api/auth/user')).depositRevision;
    const response = await move();
    await app.ctx.events.waitUntilIdle();
    const { deposit, depositRevision } = await requestJson('GET', '/api/auth/user');
    const emitted = emitSpy.mock.calls.flatMap(([, event, payload]) => (event === balanceChanged ? [payload] : []));
    emitSpy.mockRestore();
    expect(depositRevision).toBe(before + 1);
    expect(await requestJson('GET', '/api/customer/wallet')).toMatchObject({ available: deposit, depositRevision });
    expect(emitted).not.toEqual([]);
    for (const payload of emitted) expect(payload).toMatchObject({ deposit, depositRevision });
    if (response) expect(response).toMatchObject({ deposit, depositRevision });
  },
);

import { randomUUID } from 'node:crypto';
import type { Balance } from '@stagedoor/contract/atoms/money.ts';
import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { writeDirectly } from '../features/chat/testing.ts';

import { makeReadyPicture } from '../features/media/testing.ts';
import { paidDeposit, postEvent, requireCleanLedger, reversalFields } from '../features/payments/testing.ts';
import { makePost } from '../features/posts/testing.ts';
import { captureFunds, holdFunds, refundSale } from '../features/sales/index.ts';
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
const asked = async (method: 'GET' | 'POST', path: string, body?: object, key: string = randomUUID()) =>
  (await fan.inject(method, path, body, method === 'GET' ? {} : { 'idempotency-key': key })).json();
const tip = (amount: number, key?: string) =>
  asked('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' }, key);

async function setAside(): Promise<string> {
  const hold = { fanId: fan.id, amountCents: 500, purpose: 'test', expiresAt: new Date('2100-01-01'), ...operation() };
  return (await app.ctx.db.transaction((tx) => holdFunds(tx, hold))).id;
}

async function paidMessage(): Promise<string> {
  const { conversationId } = await writeDirectly(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })];
  const wish = { conversationId, mediaIds, price: 4 };
  return (await creator.inject('POST', '/api/message/media', wish)).json().data.id;
}

type Told = Partial<Balance> & { transactionId?: string };
let lastTip = '';
let hold = '';
let bought: Awaited<ReturnType<typeof paidDeposit>>;
/** Returns the balance in the response, if there is one. */
const MOVEMENTS: Record<string, () => Promise<Told | undefined>> = {
  deposit: async () => {
    bought = await paidDeposit(app, fan, 100);
    return undefined;
  },
  tip: async () => {
    const told: Told = await tip(20);
    lastTip = told.transactionId ?? '';
    return told;
  },
  post: async () => asked('POST', `/api/post/unlock/${await makePost(app.ctx, creator.id, { priceCents: 300 })}`),
  'paid message': async () => asked('POST', `/api/message/purchase-chat-media/${await paidMessage()}`),
  'part of a sale given back': async () => {
    await app.ctx.db.transaction((tx) =>
      refundSale(tx, { saleId: lastTip, grossCents: 300, actorId: creator.id, ...operation() }),
    );
    return undefined;
  },
  'money set aside': async () => {
    hold = await setAside();
    return undefined;
  },
  'part of it taken': async () => {
    const capture = { kind: 'call', holdId: hold, creatorId: creator.id, subjectId: null, grossCents: 200 };
    await app.ctx.db.transaction((tx) => captureFunds(tx, { ...capture, at: app.clock.now() }));
    return undefined;
  },
  'money set aside again': async () => {
    hold = await setAside();
    return undefined;
  },
  'money no longer set aside': async () => {
    const nothing = { kind: 'call', holdId: hold, creatorId: creator.id, subjectId: null, grossCents: 0 };
    await app.ctx.db.transaction((tx) => captureFunds(tx, { ...nothing, at: app.clock.now() }));
    return undefined;
  },
  chargeback: async () => {
    await postEvent(
      app,
      'Chargeback',
      reversalFields(app, bought.saleId, (bought.deposit.payable_cents / 100).toFixed(2)),
    );
    return undefined;
  },
};

it('a repeated request returns the balance revision it had, and buying an owned post the current one', async () => {
  await paidDeposit(app, fan, 50);
  const key = randomUUID();
  const first = await tip(5, key);
  const post = await makePost(app.ctx, creator.id, { priceCents: 300 });
  const unlocked = await asked('POST', `/api/post/unlock/${post}`);
  expect(await tip(5, key)).toEqual(first);
  const { deposit, depositRevision } = await tip(5);
  expect(await asked('POST', `/api/post/unlock/${post}`)).toMatchObject({ deposit, depositRevision });
  expect(depositRevision - unlocked.depositRevision).toBe(1);
});

it.each(Object.entries(MOVEMENTS))(
  '%s increases the balance revision by one, and all responses and events agree',
  async (_name, move) => {
    await app.ctx.events.settle();
    const tell = vi.spyOn(app.ctx.realtime, 'toUser');
    const before = (await asked('GET', '/api/auth/user')).depositRevision;
    const answer = await move();
    await app.ctx.events.settle();
    const { deposit, depositRevision } = await asked('GET', '/api/auth/user');
    const told = tell.mock.calls.flatMap(([, event, payload]) => (event === balanceChanged ? [payload] : []));
    tell.mockRestore();
    expect(depositRevision).toBe(before + 1);
    expect(await asked('GET', '/api/customer/wallet')).toMatchObject({ available: deposit, depositRevision });
    expect(told).not.toEqual([]);
    for (const payload of told) expect(payload).toMatchObject({ deposit, depositRevision });
    if (answer) expect(answer).toMatchObject({ deposit, depositRevision });
  },
);

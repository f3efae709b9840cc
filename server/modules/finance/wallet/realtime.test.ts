import { randomUUID } from 'node:crypto';
import { notificationsChanged } from '@stagedoor/contract/notifications/notifications.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { buildReversalFields, buildSaleFields, createProcessorId, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createOrder, createPaidDeposit, requireCleanLedger, waitUntil } from '../../commerce/deposits/testing.ts';
import { holdFunds } from '../../commerce/sales/index.ts';
import { releaseExpiredHolds } from '../../ledger/ledger/index.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => app.close());

type ReceivedEvent = { name: string; payload: Record<string, unknown> };

async function openTab(cookie: string): Promise<{ received: ReceivedEvent[]; close(): void }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, { headers: { cookie } });
  const received: ReceivedEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40');
      if (text === '2') socket.send('3');
      if (text.startsWith('40')) resolve();
      if (text.startsWith('42')) {
        const [name, payload] = JSON.parse(text.slice(2));
        if (name !== notificationsChanged.name) received.push({ name, payload });
      }
    });
  });
  return { received, close: () => socket.close() };
}

test('a repeated deposit and a tip reach every tab of the fan once, and the creator sees only the earning', async () => {
  const [fan, creator, stranger] = await Promise.all([
    app.signUp('customer', { name: 'Sol' }),
    app.signUp('creator'),
    app.signUp('customer'),
  ]);
  const tabs = await Promise.all([
    openTab(fan.cookie),
    openTab(fan.cookie),
    openTab(creator.cookie),
    openTab(stranger.cookie),
    openTab(''),
  ]);
  const [first, second, backstage, ...others] = tabs;
  const deposit = await createOrder(app, fan, 100);
  const fields = buildSaleFields(app, deposit, createProcessorId());
  await postWebhook(app, 'NewSaleSuccess', fields);
  await postWebhook(app, 'NewSaleSuccess', fields);
  const { transactionId } = (
    await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 20, type: 'profile', note: 'Encore!' })
  ).json();
  await waitUntil(() => second?.received.length === 2 && backstage?.received.length === 1, 'the news');
  for (const tab of [first, second]) {
    expect(tab?.received).toEqual([
      { name: 'BALANCE_CHANGED', payload: { deposit: 100, depositRevision: 1, transactionId: expect.any(String) } },
      { name: 'BALANCE_CHANGED', payload: { deposit: 80, depositRevision: 2, transactionId } },
    ]);
  }
  expect(backstage?.received).toEqual([
    {
      name: 'EARNING_RECEIVED',
      payload: expect.objectContaining({
        id: transactionId,
        gross: 20,
        net: 18,
        note: 'Encore!',
        fan: { name: 'Sol', avatarUrl: null },
      }),
    },
  ]);
  for (const other of others) expect(other.received).toEqual([]);
  for (const tab of tabs) tab.close();
  await requireCleanLedger(app);
});

test('an expired hold and a debt reach every tab of the fan', async () => {
  const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  const { saleId } = await createPaidDeposit(app, fan, 50);
  const tab = await openTab(fan.cookie);
  const at = app.clock.now();
  const holdInput = { fanId: fan.id, amountCents: 900, purpose: 'call', operationId: randomUUID(), expiresAt: at, at };
  await app.ctx.db.transaction((tx) => holdFunds(tx, holdInput));
  expect(await Promise.all([1, 2].map(() => releaseExpiredHolds(app.ctx.db, at)))).toContain(1);
  await waitUntil(() => tab.received.length === 3, 'the end of the hold');
  expect(tab.received).toEqual([
    { name: 'BALANCE_CHANGED', payload: { deposit: 41, depositRevision: 2, transactionId: expect.any(String) } },
    { name: 'BALANCE_CHANGED', payload: { deposit: 50, depositRevision: 3, transactionId: expect.any(String) } },
    { name: 'HOLD_EXPIRED', payload: { amount: 9, purpose: 'call' } },
  ]);
  const { data } = (await fan.inject('GET', '/api/customer/transaction-history')).json();
  expect(data[0]).toMatchObject({ type: 'release', title: 'Hold released', amount: 0 });

  await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 45, type: 'profile' });
  await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
  await waitUntil(() => tab.received.some(({ name }) => name === 'DEBT_CHANGED'), 'the debt');
  expect(tab.received.find(({ name }) => name === 'DEBT_CHANGED')?.payload).toEqual({
    ...{ change: 'owed', amount: 45, owed: 45, isBlocked: true },
  });
  tab.close();
  await requireCleanLedger(app);
});

import { randomUUID } from 'node:crypto';
import type { TransactionReceipt, WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { refundSale } from '../../../commerce/sales/index.ts';
import { downloadTable, findProblems } from '../../../finance/statements/testing.ts';
import { addOnlineDevice } from '../../../identity/presence/index.ts';
import {
  actOnCall,
  type CallPair,
  CREATOR_DEVICE,
  connectTestCall,
  createCallPair,
  getCallRow,
  offerTestCall,
  talkInCall,
} from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const YEAR = () => ({
  from: `${app.clock.now().getFullYear()}-01-01`,
  to: `${app.clock.now().getFullYear() + 1}-12-31`,
});

async function listCallTransactions({ fan }: CallPair) {
  const response = await fan.inject('GET', '/api/customer/transaction-history?type=call');
  return response.json<{ data: WalletTransaction[]; totalCount: number }>();
}

async function getStatement({ fan }: CallPair) {
  const rows = await downloadTable({ user: fan, side: 'customer' }, YEAR());
  expect(findProblems(rows)).toEqual([]);
  const ofCalls = rows.filter(({ Type }) => Type === 'Video Call');
  return {
    rows,
    lines: ofCalls.filter(({ Row }) => Row === 'line').map((row) => [row.Net, row.Counterparty, row.Details]),
    total: ofCalls.find(({ Row }) => Row === 'total'),
  };
}

async function createUsedUpCall(pair: CallPair): Promise<string> {
  const id = await connectTestCall(app, pair);
  await talkInCall(app, id, 200_000);
  const { charged_cents, held_cents, status, transaction_id } = await getCallRow(app, id);
  expect([status, charged_cents, held_cents]).toEqual(['ended', 1_000, 1_000]);
  return transaction_id ?? '';
}

test('a call that used its whole hold is listed, named and has a receipt', async () => {
  const pair = await createCallPair(app, { cents: 1_000 });
  const saleId = await createUsedUpCall(pair);
  const { data, totalCount } = await listCallTransactions(pair);
  expect([totalCount, data.map(({ type, amount }) => [type, amount])]).toEqual([1, [['call', -10]]]);
  expect(data[0]?.call).toMatchObject({ held: 10, charged: 10, released: 0, isOver: true });

  const { lines, total } = await getStatement(pair);
  const detail = 'On hold · Video call, cost $10.00';
  expect(lines).toEqual([
    ['-9.00', pair.creator.username, detail],
    ['-1.00', pair.creator.username, detail],
  ]);
  expect(total).toMatchObject({ Details: '2 transactions', Net: '-10.00' });

  const opened = await pair.fan.inject('GET', `/api/transactions/${saleId}`);
  expect(opened.statusCode, opened.body).toBe(200);
  expect(opened.json<TransactionReceipt>()).toMatchObject({
    ...{ id: saleId, type: 'call', amount: 0, balance: 0, detail: 'Video call, 3:20 at $3.00 a minute, cost $10.00' },
    ...{ call: { charged: 10 }, otherUser: { id: pair.creator.id }, split: { gross: 10, creator: 8 } },
  });
  const stranger = await createCallPair(app);
  expect((await stranger.fan.inject('GET', `/api/transactions/${saleId}`)).statusCode).toBe(404);

  app.clock.advance(1_000);
  const refund = { saleId, actorId: pair.creator.id, operationId: randomUUID(), at: app.clock.now() };
  await app.ctx.db.transaction((tx) => refundSale(tx, refund));
  expect((await pair.fan.inject('GET', `/api/transactions/${saleId}`)).json()).toMatchObject({ balance: 0 });
  const { rows } = await getStatement(pair);
  expect(rows.find(({ Row, Type }) => Row === 'line' && Type === 'Refund')).toMatchObject({
    ...{ Counterparty: pair.creator.username, Details: 'Video Call', Net: '10.00', Balance: '10.00' },
  });
});

test('a statement shows the cost of each call and their total', async () => {
  const pair = await createCallPair(app);
  const paid = await connectTestCall(app, pair, { type: 'audio', amountPerMinute: 2 });
  await talkInCall(app, paid, 90_500);
  await actOnCall(pair.creator, 'end', paid);
  app.clock.advance(1_000);
  addOnlineDevice(app.ctx, pair.creator.id, 'creator', CREATOR_DEVICE);
  const unanswered = await offerTestCall(pair);
  await actOnCall(pair.fan, 'cancelled', unanswered);
  app.clock.advance(1_000);
  const running = await offerTestCall(pair);

  const [cost, free, open] = ['Voice call, cost $3.00', 'Video call, free', 'Video call, in progress'];
  const statement = await getStatement(pair);
  expect(statement.lines.map(([net, , detail]) => [net, detail])).toEqual([
    ['-6.00', `On hold · ${cost}`],
    ['-2.00', `On hold · ${cost}`],
    ['5.00', 'Hold released · Voice call, 1:30 at $2.00 a minute, cost $3.00'],
    ['-9.00', `On hold · ${free}`],
    ['9.00', `Hold released · ${free}`],
    ['-9.00', `On hold · ${open}`],
  ]);
  await actOnCall(pair.fan, 'cancelled', running);
  expect((await getStatement(pair)).total).toMatchObject({
    Details: '7 transactions',
    Gross: '-3.00',
    Fee: '0.00',
    Net: '-3.00',
  });
  const { data, totalCount } = await listCallTransactions(pair);
  expect([totalCount, data.map(({ type, amount }) => [type, amount])]).toEqual([
    3,
    [
      ['release', 0],
      ['release', 0],
      ['call', -3],
    ],
  ]);
});

test('counts, amount filters and pages of the wallet are those of the calls that it shows', async () => {
  const pair = await createCallPair(app);
  const list = async (query: string) =>
    (await pair.fan.inject('GET', `/api/customer/transaction-history?${query}`)).json<{
      data: WalletTransaction[];
      totalCount: number;
      nextOffset?: string;
    }>();
  const [depositCount, largeCount] = [(await list('')).totalCount, (await list('minAmount=5')).totalCount];
  for (const isDeclined of [true, false, false]) {
    app.clock.advance(1_000);
    addOnlineDevice(app.ctx, pair.creator.id, 'creator', CREATOR_DEVICE);
    const id = await offerTestCall(pair);
    await (isDeclined ? actOnCall(pair.creator, 'reject', id) : actOnCall(pair.fan, 'cancelled', id));
  }
  expect((await list('')).totalCount).toBe(depositCount + 3);
  expect((await list('minAmount=5')).totalCount).toBe(largeCount);
  const first = await list('limit=2&type=call');
  expect(first).toMatchObject({ totalCount: 3, data: [{ amount: 0 }, { amount: 0 }] });
  const second = await list(`limit=2&type=call&offset=${first.nextOffset}`);
  expect([second.data.length, second.nextOffset]).toEqual([1, undefined]);
  // To the fan a declined call looks busy.
  expect([...first.data, ...second.data].map(({ call }) => call?.reason)).toEqual(['cancelled', 'cancelled', 'busy']);
  expect(new Set([...first.data, ...second.data].map(({ call }) => call?.id)).size).toBe(3);
  expect((await list('limit=2&type=call&offset=2')).data).toEqual(second.data);
});

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { buildReversalFields, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createPaidDeposit } from '../../commerce/deposits/testing.ts';
import { getFanWallet } from '../../commerce/sales/index.ts';
import { setDailyLimit } from '../../ledger/ledger/index.ts';
import { openTab } from '../chat/testing.ts';
import {
  actOnCall,
  type CallPair,
  CREATOR_DEVICE,
  connectTestCall,
  createCallPair,
  expectCleanLedger,
  FAN_DEVICE,
  getCallRow,
  meterCalls,
  offerTestCall,
  recordCallHeartbeat,
  startTestCall,
  talkInCall,
} from './testing.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(() => expectCleanLedger(app));
afterAll(() => app.close());

const wallet = (fanId: string) => getFanWallet(app.ctx.db, fanId, app.clock.now());
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000 });

it('a creator stays busy while another fan’s call is missed, and declines a ringing call by ending it', async () => {
  const pair = await createCallPair(app);
  const id = await connectTestCall(app, pair);
  await app.ctx.events.waitUntilIdle();
  const status = async () => (await app.inject('GET', `/api/public/profile/${pair.creator.id}`)).json().status;
  expect(await status()).toBe('busy');
  const second = { ...(await createCallPair(app)), creator: pair.creator };
  expect((await startTestCall(second)).json().reason).toBe('busy');
  await app.ctx.events.waitUntilIdle();
  expect(await status()).toBe('busy');
  await actOnCall(pair.fan, 'end', id);
  await app.ctx.events.waitUntilIdle();
  expect(await status()).toBe('online');
  await pair.creator.inject('POST', '/api/call/missed/seen');
  const ringing = await offerTestCall(pair);
  expect((await actOnCall(pair.creator, 'end', ringing)).json()).toMatchObject({
    status: 'cancel',
    reason: 'declined',
  });
  expect((await pair.creator.inject('GET', '/api/call/missed')).json()).toEqual({ count: 0 });
});

it('a call continues over midnight with the new day’s limit', async () => {
  app.clock.advance(DAY_MS - (app.clock.now().getTime() % DAY_MS) - 70_000);
  const pair = await createCallPair(app);
  await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 400));
  const id = await connectTestCall(app, pair);
  await talkInCall(app, id, 150_000);
  expect(await getCallRow(app, id)).toMatchObject({ status: 'received', held_cents: 800 });
  await talkInCall(app, id, 30_000);
  expect(await getCallRow(app, id)).toMatchObject({ reason: 'limit', connected_ms: 160_000, charged_cents: 800 });
});

it('a clock that is set back loses no talk time, and silent sides are still detected', async () => {
  const pair = await createCallPair(app);
  const id = await connectTestCall(app, pair);
  await talkInCall(app, id, 30_000);
  app.clock.advance(-60 * 60_000);
  await meterCalls(app.ctx);
  expect(await getCallRow(app, id)).toMatchObject({ status: 'received', connected_ms: 30_000, running_since: null });
  await talkInCall(app, id, 34_000);
  app.clock.advance(9_000);
  await meterCalls(app.ctx);
  expect(await getCallRow(app, id)).toMatchObject({ connected_ms: 60_000, running_since: null });
  app.clock.advance(30_000);
  await meterCalls(app.ctx);
  expect(await getCallRow(app, id)).toMatchObject({ status: 'drop', charged_cents: 300 });
  app.clock.advance(60 * 60_000);
});

it('a call ends and is charged for its talk time when the deposit that funds it is reversed', async () => {
  const pair = await createCallPair(app, { cents: 0 });
  const { saleId } = await createPaidDeposit(app, pair.fan, 20);
  const id = await connectTestCall(app, pair);
  await talkInCall(app, id, 30_000);
  expect(await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '20.40'))).toBe(200);
  await app.ctx.events.waitUntilIdle();
  expect(await getCallRow(app, id)).toMatchObject({ status: 'ended', reason: 'funds', charged_cents: 150 });
  expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 0, owedCents: 150, isBlocked: true });
});

it('a call continues when a stale socket closes after another process took over', async () => {
  const pair = await createCallPair(app);
  const id = await offerTestCall(pair);
  const token = async () => (await pair.creator.inject('GET', '/api/call/current')).json().call.session.token;
  await actOnCall(pair.creator, 'received', id, CREATOR_DEVICE);
  const senderFields = { callLogId: id, token: await token(), device: CREATOR_DEVICE };
  const tab = await openTab(port, pair.creator.cookie);
  tab.send('CALL_HEARTBEAT', { ...senderFields, isConnected: true });
  await until(async () => expect((await getCallRow(app, id)).is_creator_connected).toBe(true));
  await recordCallHeartbeat(app.ctx, { callId: id, side: 'fan', isConnected: true });
  app.clock.advance(6_000);
  // Simulates heartbeats that another process received.
  const heartbeat = { last_seen_at: app.clock.now() };
  await app.ctx.db.query.updateTable('call_heartbeats').set(heartbeat).where('call_id', '=', id).execute();
  const version = async () => (await app.owner.pool.query('select xmin from calls where id = $1', [id])).rows[0].xmin;
  const before = await version();
  tab.close();
  await until(async () => expect(await version()).not.toBe(before));
  expect((await getCallRow(app, id)).running_since).not.toBeNull();
  await actOnCall(pair.fan, 'end', id);
  expect(await getCallRow(app, id)).toMatchObject({ connected_ms: 6_000 });
});

it('relay credentials are refused before the call is answered', async () => {
  const pair = await createCallPair(app);
  const id = await offerTestCall(pair);
  const { session } = (await pair.fan.inject('GET', '/api/call/current')).json().call;
  const connect = () =>
    pair.fan.inject('POST', `/api/call/connect/${id}`, { token: session.token, device: FAN_DEVICE });
  expect((await connect()).json().code).toBe('CONFLICT');
  await actOnCall(pair.creator, 'received', id, CREATOR_DEVICE);
  expect((await connect()).statusCode).toBe(200);
  await actOnCall(pair.fan, 'end', id);
});

async function createAcquaintedPair(): Promise<CallPair> {
  const pair = await createCallPair(app);
  const id = await connectTestCall(app, pair);
  await talkInCall(app, id, 25_000);
  await actOnCall(pair.fan, 'end', id);
  await app.ctx.events.waitUntilIdle();
  return pair;
}
const block = async ({ fan, creator }: CallPair, by: 'fan' | 'creator') => {
  const [blocker, path] = by === 'fan' ? [fan, `creator/${creator.id}`] : [creator, `customer/${fan.id}`];
  const response = await blocker.inject('POST', `/api/message/block-unblock-${path}`, { isBlocked: true });
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
};

async function readFanView(pair: CallPair) {
  const tab = await openTab(port, pair.fan.cookie);
  const key = randomUUID();
  const response = await startTestCall(pair, { key });
  const { callLogId: id } = response.json();
  await until(() => expect(tab.listPayloads('END_CALL')).toHaveLength(1));
  const get = async (path: string) => (await pair.fan.inject('GET', path)).json();
  const seen = {
    terms: await get(`/api/public/call-terms/${pair.creator.id}`),
    answers: [response, await startTestCall(pair, { key }), await startTestCall(pair, { amountPerMinute: 5 })].map(
      (one) => [one.statusCode, one.json().reason ?? one.json().message],
    ),
    received: tab.received.filter(({ name }) => /CALL/.test(name)),
    log: await get(`/api/call/log/${id}`),
    missed: await get('/api/call/call-history?missed=true'),
  };
  tab.close();
  return JSON.stringify(seen)
    .replaceAll(pair.creator.id, 'creator')
    .replaceAll(id, 'call')
    .replaceAll(pair.creator.username, 'name')
    .replace(/"(?:name|avatarUrl)":(?:null|"[^"]*")/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
}

it('a fan whom the creator blocked sees an unavailable creator, and the creator sees no call', async () => {
  const [off, screened] = [await createAcquaintedPair(), await createAcquaintedPair()];
  await off.creator.inject('PUT', '/api/creator/call-availability', { isAvailable: false });
  await block(screened, 'creator');
  const tab = await openTab(port, screened.creator.cookie);
  expect(await readFanView(screened)).toBe(await readFanView(off));
  await app.ctx.events.waitUntilIdle();
  const get = async (path: string) => (await screened.creator.inject('GET', `/api/call/${path}`)).json();
  expect(await get('missed')).toEqual({ count: 0 });
  const history = await get('call-history');
  expect(history).toMatchObject({ totalCount: 1, data: [{ reason: 'hungUp' }] });
  const [{ callLogId }] = (await screened.fan.inject('GET', '/api/call/call-history')).json().data;
  expect((await get(`log/${callLogId}`)).code).toBe('NOT_FOUND');
  expect((await actOnCall(screened.creator, 'callback', callLogId)).json().code).toBe('NOT_FOUND');
  expect(tab.received.filter(({ name }) => /CALL|MESSAGE/.test(name))).toEqual([]);
  tab.close();
});

it('a block ends an open call, and a fan who blocked the creator sees why calls are refused', async () => {
  const ringing = await createAcquaintedPair();
  const first = await offerTestCall(ringing);
  await block(ringing, 'creator');
  expect(await getCallRow(app, first)).toMatchObject({ status: 'cancel', reason: 'declined' });
  const running = await createAcquaintedPair();
  const second = await connectTestCall(app, running);
  await block(running, 'creator');
  expect(await getCallRow(app, second)).toMatchObject({ status: 'ended', reason: 'hungUp' });
  const own = await createAcquaintedPair();
  const missed = await offerTestCall(own);
  await actOnCall(own.fan, 'cancelled', missed);
  await block(own, 'fan');
  expect((await startTestCall(own)).json()).toMatchObject({ code: 'FORBIDDEN', message: 'You blocked this creator.' });
  const terms = await own.fan.inject('GET', `/api/public/call-terms/${own.creator.id}`);
  expect(terms.json().unavailableReason).toBe('blocked');
  // The creator's callback request succeeds, but the fan is not notified.
  const tab = await openTab(port, own.fan.cookie);
  expect((await actOnCall(own.creator, 'callback', missed)).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
  expect(tab.listPayloads('CALLBACK_REQUESTED')).toEqual([]);
  tab.close();
});

it('a declined chat request ends the ringing of the fan’s call on both sides', async () => {
  const pair = await createCallPair(app);
  await app.ctx.db.query
    .updateTable('creators')
    .set({ chat_rule: 'request' })
    .where('user_id', '=', pair.creator.id)
    .execute();
  const request = { receiverId: pair.creator.id, text: 'Hello', clientId: randomUUID() };
  expect((await pair.fan.inject('POST', '/api/message/text', request)).statusCode).toBe(200);
  const tabs = [await openTab(port, pair.fan.cookie), await openTab(port, pair.creator.cookie)];
  const id = await offerTestCall(pair);
  const path = `/api/message/conversation-response/${pair.fan.id}`;
  expect((await pair.creator.inject('POST', path, { status: 'decline' })).statusCode).toBe(200);
  const reasons = ['busy', 'declined'];
  for (const [index, tab] of tabs.entries()) {
    await until(() => expect(tab.listPayloads('END_CALL')).toMatchObject([{ callLogId: id, reason: reasons[index] }]));
    tab.close();
  }
  expect(await getCallRow(app, id)).toMatchObject({ status: 'cancel', reason: 'declined', charged_cents: 0 });
  expect((await wallet(pair.fan.id)).heldCents).toBe(0);
});

it('an operator lists open calls and ends one with a reason, and both sides are notified', async () => {
  const operator = await app.signUp('operator');
  const pair = await createCallPair(app);
  const id = await connectTestCall(app, pair);
  const tabs = [await openTab(port, pair.fan.cookie), await openTab(port, pair.creator.cookie)];
  await talkInCall(app, id, 40_000);
  const listAdminCalls = async (state: string) =>
    (await operator.inject('GET', `/api/admin/calls?state=${state}`)).json();
  const shown = { callLogId: id, fan: { id: pair.fan.id }, creator: { id: pair.creator.id }, amount: 2, held: 9 };
  expect(await listAdminCalls('open')).toMatchObject({
    totalCount: 1,
    data: [{ ...shown, status: 'received', isRunning: true, durationSeconds: 40, stopped: null }],
  });
  const end = (by: CallPair['fan'], reason: string) => by.inject('POST', `/api/admin/calls/${id}/end`, { reason });
  for (const by of [pair.fan, pair.creator]) expect((await end(by, 'I say so')).statusCode).toBe(403);
  expect((await end(operator, ' ')).statusCode).toBe(400);
  const ended = await end(operator, 'reported by a neighbour');
  const stopped = { operator: operator.username, reason: 'reported by a neighbour' };
  expect(ended.json()).toMatchObject({ ...shown, status: 'ended', reason: 'stopped', stopped });
  for (const tab of tabs)
    await until(() => expect(tab.listPayloads('END_CALL')).toMatchObject([{ reason: 'stopped', durationSeconds: 40 }]));
  expect((await end(operator, 'once more')).json().code).toBe('CONFLICT');
  expect((await operator.inject('POST', `/api/admin/calls/${randomUUID()}/end`, { reason: 'none' })).statusCode).toBe(
    404,
  );
  expect(await listAdminCalls('open')).toMatchObject({ totalCount: 0, data: [] });
  expect(await listAdminCalls('stopped')).toMatchObject({ data: [{ callLogId: id, stopped }] });
  expect((await operator.inject('GET', '/api/admin/audit?action=call')).json()).toMatchObject({
    totalCount: 1,
    data: [{ action: 'call.end', subjectId: id, operator: { id: operator.id }, details: { reason: stopped.reason } }],
  });
  expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 9_800, heldCents: 0 });
  await until(async () => {
    const notes = await app.owner.query
      .selectFrom('security_log')
      .select(['kind', 'detail'])
      .where('user_id', '=', operator.id)
      .where('kind', '=', 'operatorAction')
      .execute();
    expect(notes).toEqual([{ kind: 'operatorAction', detail: 'POST /admin/calls/:id/end' }]);
  });
  for (const tab of tabs) tab.close();
});

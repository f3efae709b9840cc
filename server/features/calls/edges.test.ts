import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { openTab } from '../chat/testing.ts';
import { setDailyLimit } from '../ledger/index.ts';
import { paidDeposit, postEvent, reversalFields } from '../payments/testing.ts';
import { walletOf } from '../sales/index.ts';
import {
  act,
  CREATOR_TAB,
  connected,
  expectBooks,
  FAN_TAB,
  hear,
  makePair,
  meter,
  offered,
  type Pair,
  rowOf,
  start,
  talk,
} from './testing.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(() => expectBooks(app));
afterAll(() => app.close());

const wallet = (fanId: string) => walletOf(app.ctx.db, fanId, app.clock.now());
const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: 30_000 });

it('a creator stays busy while another fan’s call is missed, and declines a ringing call by ending it', async () => {
  const pair = await makePair(app);
  const id = await connected(app, pair);
  await app.ctx.events.settle();
  const status = async () => (await app.inject('GET', `/api/public/profile/${pair.creator.id}`)).json().status;
  expect(await status()).toBe('busy');
  const second = { ...(await makePair(app)), creator: pair.creator };
  expect((await start(second)).json().reason).toBe('busy');
  await app.ctx.events.settle();
  expect(await status()).toBe('busy');
  await act(pair.fan, 'end', id);
  await app.ctx.events.settle();
  expect(await status()).toBe('online');
  await pair.creator.inject('POST', '/api/call/missed/seen');
  const ringing = await offered(pair);
  expect((await act(pair.creator, 'end', ringing)).json()).toMatchObject({ status: 'cancel', reason: 'declined' });
  expect((await pair.creator.inject('GET', '/api/call/missed')).json()).toEqual({ count: 0 });
});

it('a call continues over midnight with the new day’s limit', async () => {
  app.clock.advance(DAY_MS - (app.clock.now().getTime() % DAY_MS) - 70_000);
  const pair = await makePair(app);
  await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 400));
  const id = await connected(app, pair);
  await talk(app, id, 150_000);
  expect(await rowOf(app, id)).toMatchObject({ status: 'received', held_cents: 800 });
  await talk(app, id, 30_000);
  expect(await rowOf(app, id)).toMatchObject({ reason: 'funds', talked_ms: 160_000, charged_cents: 800 });
});

it('a clock that is set back loses no talk time, and silent sides are still detected', async () => {
  const pair = await makePair(app);
  const id = await connected(app, pair);
  await talk(app, id, 30_000);
  app.clock.advance(-60 * 60_000);
  await meter(app.ctx);
  expect(await rowOf(app, id)).toMatchObject({ status: 'received', talked_ms: 30_000, running_since: null });
  await talk(app, id, 34_000);
  app.clock.advance(9_000);
  await meter(app.ctx);
  expect(await rowOf(app, id)).toMatchObject({ talked_ms: 60_000, running_since: null });
  app.clock.advance(30_000);
  await meter(app.ctx);
  expect(await rowOf(app, id)).toMatchObject({ status: 'drop', charged_cents: 300 });
  app.clock.advance(60 * 60_000);
});

it('a call ends and is charged for its talk time when the deposit that funds it is reversed', async () => {
  const pair = await makePair(app, { cents: 0 });
  const { saleId } = await paidDeposit(app, pair.fan, 20);
  const id = await connected(app, pair);
  await talk(app, id, 30_000);
  expect(await postEvent(app, 'Chargeback', reversalFields(app, saleId, '20.40'))).toBe(200);
  await app.ctx.events.settle();
  expect(await rowOf(app, id)).toMatchObject({ status: 'ended', reason: 'funds', charged_cents: 150 });
  expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 0, owedCents: 150, isBlocked: true });
});

it('a call continues when a stale socket closes after another process took over', async () => {
  const pair = await makePair(app);
  const id = await offered(pair);
  const token = async () => (await pair.creator.inject('GET', '/api/call/current')).json().call.session.token;
  await act(pair.creator, 'received', id, CREATOR_TAB);
  const bearing = { callLogId: id, token: await token(), device: CREATOR_TAB };
  const tab = await openTab(port, pair.creator.cookie);
  tab.send('CALL_HEARD', { ...bearing, isConnected: true });
  await until(async () => expect((await rowOf(app, id)).is_creator_connected).toBe(true));
  await hear(app.ctx, { callId: id, side: 'fan', isConnected: true });
  app.clock.advance(6_000);
  // Simulates heartbeats that another process received.
  const heard = { heard_at: app.clock.now() };
  await app.ctx.db.query.updateTable('call_hearings').set(heard).where('call_id', '=', id).execute();
  const version = async () => (await app.owner.pool.query('select xmin from calls where id = $1', [id])).rows[0].xmin;
  const before = await version();
  tab.close();
  await until(async () => expect(await version()).not.toBe(before));
  expect((await rowOf(app, id)).running_since).not.toBeNull();
  await act(pair.fan, 'end', id);
  expect(await rowOf(app, id)).toMatchObject({ talked_ms: 6_000 });
});

it('relay credentials are refused before the call is answered', async () => {
  const pair = await makePair(app);
  const id = await offered(pair);
  const { session } = (await pair.fan.inject('GET', '/api/call/current')).json().call;
  const connect = () => pair.fan.inject('POST', `/api/call/connect/${id}`, { token: session.token, device: FAN_TAB });
  expect((await connect()).json().code).toBe('CONFLICT');
  await act(pair.creator, 'received', id, CREATOR_TAB);
  expect((await connect()).statusCode).toBe(200);
  await act(pair.fan, 'end', id);
});

async function acquainted(): Promise<Pair> {
  const pair = await makePair(app);
  const id = await connected(app, pair);
  await talk(app, id, 25_000);
  await act(pair.fan, 'end', id);
  await app.ctx.events.settle();
  return pair;
}
const block = async ({ fan, creator }: Pair, by: 'fan' | 'creator') => {
  const [who, path] = by === 'fan' ? [fan, `creator/${creator.id}`] : [creator, `customer/${fan.id}`];
  const answer = await who.inject('POST', `/api/message/block-unblock-${path}`, { isBlocked: true });
  expect(answer.statusCode, answer.body).toBe(200);
  await app.ctx.events.settle();
};

async function learnt(pair: Pair) {
  const tab = await openTab(port, pair.fan.cookie);
  const key = randomUUID();
  const answer = await start(pair, { key });
  const { callLogId: id } = answer.json();
  await until(() => expect(tab.of('END_CALL')).toHaveLength(1));
  const get = async (path: string) => (await pair.fan.inject('GET', path)).json();
  const seen = {
    terms: await get(`/api/public/call-terms/${pair.creator.id}`),
    answers: [answer, await start(pair, { key }), await start(pair, { amountPerMinute: 5 })].map((one) => [
      one.statusCode,
      one.json().reason ?? one.json().message,
    ]),
    heard: tab.heard.filter(({ name }) => /CALL/.test(name)),
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
  const [off, screened] = [await acquainted(), await acquainted()];
  await off.creator.inject('PUT', '/api/creator/call-availability', { isAvailable: false });
  await block(screened, 'creator');
  const tab = await openTab(port, screened.creator.cookie);
  expect(await learnt(screened)).toBe(await learnt(off));
  await app.ctx.events.settle();
  const get = async (path: string) => (await screened.creator.inject('GET', `/api/call/${path}`)).json();
  expect(await get('missed')).toEqual({ count: 0 });
  const history = await get('call-history');
  expect(history).toMatchObject({ totalCount: 1, data: [{ reason: 'hungUp' }] });
  const [{ callLogId }] = (await screened.fan.inject('GET', '/api/call/call-history')).json().data;
  expect((await get(`log/${callLogId}`)).code).toBe('NOT_FOUND');
  expect((await act(screened.creator, 'call-back', callLogId)).json().code).toBe('NOT_FOUND');
  expect(tab.heard.filter(({ name }) => /CALL|MESSAGE/.test(name))).toEqual([]);
  tab.close();
});

it('a block ends an open call like a hang-up, and a fan who blocked the creator is told why calls are refused', async () => {
  const ringing = await acquainted();
  const first = await offered(ringing);
  await block(ringing, 'creator');
  expect(await rowOf(app, first)).toMatchObject({ status: 'cancel', reason: 'declined' });
  const running = await acquainted();
  const second = await connected(app, running);
  await block(running, 'creator');
  expect(await rowOf(app, second)).toMatchObject({ status: 'ended', reason: 'hungUp' });
  const own = await acquainted();
  const missed = await offered(own);
  await act(own.fan, 'cancelled', missed);
  await block(own, 'fan');
  expect((await start(own)).json()).toMatchObject({ code: 'FORBIDDEN', message: 'You blocked this creator.' });
  const terms = await own.fan.inject('GET', `/api/public/call-terms/${own.creator.id}`);
  expect(terms.json().absence).toBe('blocked');
  // The creator's callback request succeeds, but the fan is not notified.
  const tab = await openTab(port, own.fan.cookie);
  expect((await act(own.creator, 'call-back', missed)).statusCode).toBe(200);
  await app.ctx.events.settle();
  expect(tab.of('CALL_BACK')).toEqual([]);
  tab.close();
});

it('an operator lists open calls and ends one with a reason, and both sides are notified', async () => {
  const operator = await app.signUp('operator');
  const pair = await makePair(app);
  const id = await connected(app, pair);
  const tabs = [await openTab(port, pair.fan.cookie), await openTab(port, pair.creator.cookie)];
  await talk(app, id, 40_000);
  const desk = async (state: string) => (await operator.inject('GET', `/api/admin/calls?state=${state}`)).json();
  const shown = { callLogId: id, fan: { id: pair.fan.id }, creator: { id: pair.creator.id }, amount: 2, held: 9 };
  expect(await desk('open')).toMatchObject({
    totalCount: 1,
    data: [{ ...shown, status: 'received', isRunning: true, durationSeconds: 40, stopped: null }],
  });
  const end = (by: Pair['fan'], ground: string) => by.inject('POST', `/api/admin/calls/${id}/end`, { ground });
  for (const by of [pair.fan, pair.creator]) expect((await end(by, 'I say so')).statusCode).toBe(403);
  expect((await end(operator, ' ')).statusCode).toBe(400);
  const ended = await end(operator, 'reported by a neighbour');
  const stopped = { operator: operator.username, ground: 'reported by a neighbour' };
  expect(ended.json()).toMatchObject({ ...shown, status: 'ended', reason: 'stopped', stopped });
  for (const tab of tabs)
    await until(() => expect(tab.of('END_CALL')).toMatchObject([{ reason: 'stopped', durationSeconds: 40 }]));
  expect((await end(operator, 'once more')).json().code).toBe('CONFLICT');
  expect((await operator.inject('POST', `/api/admin/calls/${randomUUID()}/end`, { ground: 'none' })).statusCode).toBe(
    404,
  );
  expect(await desk('open')).toMatchObject({ totalCount: 0, data: [] });
  expect(await desk('stopped')).toMatchObject({ data: [{ callLogId: id, stopped }] });
  expect((await operator.inject('GET', '/api/admin/audit?act=call')).json()).toMatchObject({
    totalCount: 1,
    data: [{ act: 'call.end', subjectId: id, operator: { id: operator.id }, facts: { ground: stopped.ground } }],
  });
  expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 9_800, heldCents: 0 });
  await until(async () => {
    const notes = await app.owner.query
      .selectFrom('security_log')
      .select(['kind', 'detail'])
      .where('user_id', '=', operator.id)
      .where('kind', '=', 'operatorActed')
      .execute();
    expect(notes).toEqual([{ kind: 'operatorActed', detail: 'POST /admin/calls/:id/end' }]);
  });
  for (const tab of tabs) tab.close();
});

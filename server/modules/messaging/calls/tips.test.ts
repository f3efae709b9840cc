import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { getFanWallet } from '../../commerce/sales/index.ts';
import { setDailyLimit } from '../../ledger/ledger/index.ts';
import { openTab } from '../chat/testing.ts';
import {
  actOnCall,
  type CallPair,
  connectTestCall,
  createCallPair,
  expectCleanLedger,
  getCallRow,
  meterCalls,
  offerTestCall,
  talkInCall,
} from './testing.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(() => expectCleanLedger(app));
afterAll(() => app.close());

const getWallet = (fanId: string) => getFanWallet(app.ctx.db, fanId, app.clock.now());

function tip({ fan, creator }: CallPair, amount: number, { type = 'call', note = '', key = randomUUID() } = {}) {
  const body = { amount, type, note };
  return fan.inject('POST', `/api/tip/customer-send/${creator.id}`, body, { 'idempotency-key': key });
}

/** A call of 60 seconds at $3 a minute that holds all $9 of the fan. */
async function talkForMinute(): Promise<CallPair & { id: string }> {
  const pair = await createCallPair(app, { cents: 900 });
  const id = await connectTestCall(app, pair);
  await talkInCall(app, id, 60_000);
  expect(await getWallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 900 });
  return { ...pair, id };
}

describe('a tip in a call', () => {
  it('uses what the call holds beyond the talk so far, and the call pays for what is left', async () => {
    const { id, ...pair } = await talkForMinute();
    const current = await pair.fan.inject('GET', '/api/call/current');
    expect(current.json().call.clock).toMatchObject({ amount: 3, spendable: 6, tips: 0 });
    expect((await tip(pair, 4)).statusCode).toBe(200);
    expect(await getWallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 500, spentTodayCents: 900 });
    const after = await pair.fan.inject('GET', '/api/call/current');
    expect(after.json().call.clock).toMatchObject({ amount: 3, spendable: 2, tips: 4, leftMs: 40_000 });
    await actOnCall(pair.fan, 'end', id);
    expect(await getCallRow(app, id)).toMatchObject({ held_cents: 500, charged_cents: 300 });
    expect(await getWallet(pair.fan.id)).toMatchObject({ availableCents: 200, heldCents: 0, spentTodayCents: 700 });
  });

  it('is charged once when two tips want the same money at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, ...pair } = await talkForMinute();
      const responses = await Promise.all([tip(pair, 4), tip(pair, 4)]);
      expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 402]);
      expect((await getWallet(pair.fan.id)).heldCents).toBe(500);
      await actOnCall(pair.fan, 'end', id);
      expect((await getWallet(pair.fan.id)).availableCents).toBe(200);
    }
  });

  it('is charged once when the same request arrives twice at the same time', async () => {
    const { id, ...pair } = await talkForMinute();
    const key = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => tip(pair, 2, { key })));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(new Set(responses.map((response) => response.json().transactionId)).size).toBe(1);
    expect((await getWallet(pair.fan.id)).heldCents).toBe(700);
    const timeline = await app.ctx.db.query
      .selectFrom('call_events')
      .select('event')
      .where('call_id', '=', id)
      .execute();
    expect(timeline.filter(({ event }) => event === 'tipped')).toHaveLength(1);
    await actOnCall(pair.fan, 'end', id);
  });

  it('of all that is left ends the call when the money does', async () => {
    const { id, ...pair } = await talkForMinute();
    expect((await tip(pair, 6.01)).statusCode).toBe(402);
    expect((await tip(pair, 6)).statusCode).toBe(200);
    app.clock.advance(1_000);
    await meterCalls(app.ctx);
    expect(await getCallRow(app, id)).toMatchObject({ status: 'ended', reason: 'funds', charged_cents: 300 });
    expect(await getWallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 0 });
  });

  it('uses held money also where the daily limit counts it as spent', async () => {
    const pair = await createCallPair(app, { cents: 5_000 });
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 1_000));
    const id = await connectTestCall(app, pair);
    expect((await tip(pair, 8)).statusCode).toBe(200);
    expect(await getWallet(pair.fan.id)).toMatchObject({ heldCents: 200, spentTodayCents: 1_000 });
    expect((await tip(pair, 3)).statusCode).toBe(403);
    await actOnCall(pair.fan, 'end', id);
  });

  it('to another creator, or before the answer, leaves the held money alone', async () => {
    const { id, ...pair } = await talkForMinute();
    const other = await app.signUp('creator');
    expect((await tip({ fan: pair.fan, creator: other }, 1, { type: 'profile' })).statusCode).toBe(402);
    await actOnCall(pair.fan, 'end', id);
    const ringing = await createCallPair(app, { cents: 900 });
    const offered = await offerTestCall(ringing);
    expect((await tip(ringing, 1)).statusCode).toBe(402);
    await actOnCall(ringing.fan, 'cancelled', offered);
  });
});

describe('a tip from anywhere', () => {
  it.each(['call', 'chat', 'profile', 'post'])(
    'shows at once in the call, adds to what the creator earns, and is in the thread and the receipt, type %s',
    async (type) => {
      const pair = await createCallPair(app);
      const id = await connectTestCall(app, pair);
      const tab = await openTab(port, pair.creator.cookie);
      const note = `A tip of type ${type}`;
      const given = await tip(pair, 5, { type, note });
      expect(given.statusCode, given.body).toBe(200);
      const { transactionId } = given.json();
      await app.ctx.events.waitUntilIdle();
      await vi.waitFor(() => expect(tab.listPayloads('CALL_CLOCK').at(-1)).toMatchObject({ clock: { tips: 4 } }));
      expect(tab.listPayloads('RECEIVE_MESSAGE').flat()).toMatchObject([
        { type: 'tipInfo', tip: { amount: 5, note, transactionId } },
      ]);
      await actOnCall(pair.creator, 'end', id);
      for (const [user, amount] of [
        [pair.fan, 5],
        [pair.creator, 4],
      ] as const) {
        const receipt = await user.inject('GET', `/api/call/log/${id}`);
        expect(receipt.json().tips).toMatchObject([{ id: transactionId, amount, note }]);
      }
      tab.close();
    },
  );

  it('to one creator is not in the call with another', async () => {
    const [pair, other] = [await createCallPair(app), await app.signUp('creator')];
    const id = await connectTestCall(app, pair);
    await tip({ fan: pair.fan, creator: other }, 5, { type: 'profile' });
    await app.ctx.events.waitUntilIdle();
    expect((await pair.creator.inject('GET', '/api/call/current')).json().call.clock).toMatchObject({ tips: 0 });
    await actOnCall(pair.fan, 'end', id);
    expect((await pair.creator.inject('GET', `/api/call/log/${id}`)).json().tips).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { SPENDING_LIMITS_PATH } from '@stagedoor/contract/shared/addresses.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { getFanWallet, getSalesStats } from '../../../commerce/sales/index.ts';
import { setDailyLimit, setSpendingBlocked } from '../../../ledger/ledger/index.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import {
  actOnCall,
  CREATOR_DEVICE,
  connectTestCall,
  createCallPair,
  expectCleanLedger,
  FAN_DEVICE,
  getCallRow,
  meterCalls,
  offerTestCall,
  RATE_USD,
  recordCallHeartbeat,
  startTestCall,
  talkInCall,
  writeHeartbeats,
} from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.http.ready();
});
afterEach(() => expectCleanLedger(app));
afterAll(() => app.close());

const wallet = (fanId: string) => getFanWallet(app.ctx.db, fanId, app.clock.now());
const later = async (ms: number) => {
  app.clock.advance(ms);
  await meterCalls(app.ctx);
};

describe('billing', () => {
  it('charges $7.55 for 2:31 at $3.00 a minute and releases the rest of the $15.00 hold (docs/money.md)', async () => {
    const pair = await createCallPair(app);
    const id = await connectTestCall(app, pair);
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 9_100, heldCents: 900 });
    await talkInCall(app, id, 151_000);
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 8_500, heldCents: 1_500 });
    const ended = await actOnCall(pair.fan, 'end', id);
    expect(ended.json()).toEqual({ callLogId: id, status: 'ended', reason: 'hungUp' });
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 9_245, heldCents: 0, spentTodayCents: 755 });
    expect(await getSalesStats(app.ctx.db, pair.creator.id, app.clock.now())).toMatchObject({
      earningsCents: { today: 604 },
    });
    expect(await getCallRow(app, id)).toMatchObject({ charged_cents: 755, net_cents: 604, connected_ms: 151_000 });
    expect((await actOnCall(pair.creator, 'end', id)).json().reason).toBe('hungUp');
    expect((await wallet(pair.fan.id)).availableCents).toBe(9_245);
  });

  it('is free below 20 seconds and charged from 20 seconds on', async () => {
    const pair = await createCallPair(app);
    const short = await connectTestCall(app, pair);
    await talkInCall(app, short, 19_999);
    await actOnCall(pair.creator, 'end', short);
    expect(await getCallRow(app, short)).toMatchObject({ status: 'ended', charged_cents: 0, connected_ms: 19_999 });
    expect((await wallet(pair.fan.id)).availableCents).toBe(10_000);
    const long = await connectTestCall(app, pair);
    await talkInCall(app, long, 20_000);
    await actOnCall(pair.creator, 'end', long);
    expect((await wallet(pair.fan.id)).availableCents).toBe(9_900);
  });

  it('ends at the second when the funds are used up', async () => {
    const pair = await createCallPair(app, { cents: 500 });
    const id = await connectTestCall(app, pair);
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 500 });
    await talkInCall(app, id, 90_000);
    expect((await getCallRow(app, id)).status).toBe('received');
    await talkInCall(app, id, 20_000);
    expect(await getCallRow(app, id)).toMatchObject({
      status: 'ended',
      reason: 'funds',
      connected_ms: 100_000,
      charged_cents: 500,
    });
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 0 });
  });

  it('warns once at 2 minutes and once at 30 seconds left, and again after a deposit', async () => {
    const pair = await createCallPair(app, { cents: 900 });
    const id = await connectTestCall(app, pair);
    const warnings = async () =>
      (await pair.fan.inject('GET', `/api/call/log/${id}`))
        .json()
        .timeline.filter(({ event }: { event: string }) => event === 'warned')
        .map(({ connectedMs }: { connectedMs: number }) => connectedMs / 1000);
    await talkInCall(app, id, 56_000);
    expect(await warnings()).toEqual([]);
    await talkInCall(app, id, 100_000);
    expect(await warnings()).toEqual([60, 152]);
    await createDeposit(app.ctx.db, pair.fan.id, 500, { at: app.clock.now() });
    await app.ctx.db.transaction((tx) => setSpendingBlocked(tx, pair.fan.id, false));
    await app.ctx.events.waitUntilIdle();
    expect(await getCallRow(app, id)).toMatchObject({ held_cents: 1_400, warned_seconds: null });
    await talkInCall(app, id, 60_000);
    expect(await warnings()).toEqual([60, 152, 160]);
    await actOnCall(pair.fan, 'end', id);
  });

  it('ends when the daily spending limit is reached', async () => {
    const pair = await createCallPair(app);
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 400));
    const id = await connectTestCall(app, pair);
    const { clock } = (await pair.fan.inject('GET', '/api/call/current')).json().call;
    expect(clock).toMatchObject({ spendable: 3.99, bound: { kind: 'day', left: 3.99 } });
    await talkInCall(app, id, 90_000);
    expect(await getCallRow(app, id)).toMatchObject({ reason: 'limit', connected_ms: 80_000, charged_cents: 400 });
    const findReason = async (user: TestUser) => (await user.inject('GET', `/api/call/log/${id}`)).json().reason;
    expect(await findReason(pair.fan)).toBe('limit');
    expect(await findReason(pair.creator)).toBe('funds');
  });

  it('refuses a call by the limit rather than by the balance, because adding funds would not help', async () => {
    const pair = await createCallPair(app, { cents: 1_000, settings: { minMinutes: 5 } });
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 1_499));
    expect((await startTestCall(pair)).json()).toMatchObject({ code: 'FORBIDDEN', href: SPENDING_LIMITS_PATH });
    const terms = (await pair.fan.inject('GET', `/api/public/call-terms/${pair.creator.id}`)).json();
    expect(terms.affordable.bound).toEqual({ kind: 'day', left: 14.99 });
  });

  it('charges no connection gap: stops the clock, waits for the lost side, then drops the call', async () => {
    const pair = await createCallPair(app);
    const id = await connectTestCall(app, pair);
    await talkInCall(app, id, 30_000);
    await later(CALL_LIMITS.heartbeatTimeoutMs + 1);
    expect(await getCallRow(app, id)).toMatchObject({ status: 'received', connected_ms: 30_000, running_since: null });
    await later(CALL_LIMITS.reconnectSeconds * 1000 - 1);
    expect((await getCallRow(app, id)).status).toBe('received');
    await talkInCall(app, id, 30_000);
    expect((await getCallRow(app, id)).status).toBe('received');
    await recordCallHeartbeat(app.ctx, { callId: id, side: 'fan', isConnected: false });
    await later(CALL_LIMITS.reconnectSeconds * 1000);
    expect(await getCallRow(app, id)).toMatchObject({
      status: 'drop',
      reason: 'lost',
      connected_ms: 60_000,
      charged_cents: 300,
    });
  });

  it('measures connection losses of less than a second to the millisecond', async () => {
    const pair = await createCallPair(app);
    const id = await connectTestCall(app, pair);
    await talkInCall(app, id, 20_400);
    for (const [stoppedMs, runsMs] of [
      [300, 200],
      [0, 50],
      [100, 0],
      [250, 2_400],
    ] as const) {
      await recordCallHeartbeat(app.ctx, { callId: id, side: 'creator', isConnected: false });
      app.clock.advance(stoppedMs);
      await recordCallHeartbeat(app.ctx, { callId: id, side: 'creator', isConnected: true });
      app.clock.advance(runsMs);
    }
    await actOnCall(pair.fan, 'end', id);
    expect(await getCallRow(app, id)).toMatchObject({ connected_ms: 23_050, charged_cents: 115 });
    const { timeline } = (await pair.creator.inject('GET', `/api/call/log/${id}`)).json();
    const events: { event: string; at: string; connectedMs: number }[] = timeline;
    const clock = events.filter(({ event }) => event.startsWith('clock'));
    expect(clock.map(({ event }) => event)).toEqual(Array(5).fill(['clockStarts', 'clockStops']).flat());
    expect(clock.map(({ connectedMs }) => connectedMs)).toEqual([
      0, 20_400, 20_400, 20_600, 20_600, 20_650, 20_650, 20_650, 20_650, 23_050,
    ]);
    const [from, to] = [clock.at(0), clock.at(-1)].map((one) => Date.parse(one?.at ?? ''));
    expect((to ?? 0) - (from ?? 0) - 23_050).toBe(650);
  });

  it('is free when the sides never connected', async () => {
    const pair = await createCallPair(app);
    const id = await offerTestCall(pair);
    await actOnCall(pair.creator, 'received', id, CREATOR_DEVICE);
    await recordCallHeartbeat(app.ctx, { callId: id, side: 'creator', isConnected: true });
    await later(CALL_LIMITS.setupSeconds * 1000);
    expect(await getCallRow(app, id)).toMatchObject({ status: 'failed', reason: 'notConnected', charged_cents: 0 });
    expect((await wallet(pair.fan.id)).availableCents).toBe(10_000);
  });
});

describe('starting a call', () => {
  it('refuses invalid starts and returns the same call for a repeated operation', async () => {
    const pair = await createCallPair(app, { settings: { minMinutes: 5 } });
    const code = async (response: ReturnType<typeof startTestCall>) => (await response).json().code;
    expect(await code(startTestCall({ ...pair, creator: pair.fan }))).toBe('NOT_FOUND');
    expect(await code(startTestCall({ fan: pair.creator, creator: pair.creator }))).toBe('FORBIDDEN');
    expect((await startTestCall(pair, { amountPerMinute: 2 })).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'The price is now $3.00/min.',
    });
    const poor = await createCallPair(app, { cents: 1_499, settings: { minMinutes: 5 } });
    expect((await startTestCall(poor)).json()).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      message: 'You need at least $15.00 (5 min).',
    });
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 1_499));
    expect(await code(startTestCall(pair))).toBe('FORBIDDEN');
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, null));
    const key = randomUUID();
    const id = await offerTestCall(pair, { key });
    expect((await startTestCall(pair, { key })).json()).toMatchObject({ callLogId: id, call: { status: 'calling' } });
    expect(await code(startTestCall(pair, { key, type: 'audio', amountPerMinute: 2 }))).toBe('CONFLICT');
    expect(await code(startTestCall(pair))).toBe('CONFLICT');
    await actOnCall(pair.fan, 'cancelled', id);
    expect((await startTestCall(pair, { key })).json()).toEqual({ call: null, callLogId: id, reason: 'cancelled' });
  });

  it('refuses a blocked wallet and adds a finished call to the conversation', async () => {
    const pair = await createCallPair(app);
    await app.ctx.db.transaction((tx) => setSpendingBlocked(tx, pair.fan.id, true));
    expect((await startTestCall(pair)).json().code).toBe('FORBIDDEN');
    const met = await createCallPair(app);
    const first = await connectTestCall(app, met);
    await talkInCall(app, first, 25_000);
    await actOnCall(met.fan, 'end', first);
    await app.ctx.events.waitUntilIdle();
    const [chat] = (await met.creator.inject('GET', '/api/message/conversation-list')).json().data;
    // The fan sees what they paid, and the creator what they earned.
    for (const [user, amount] of [
      [met.fan, 1.25],
      [met.creator, 1],
    ] as const) {
      const { data: messages } = (await user.inject('GET', `/api/message/list/${chat.id}`)).json();
      expect(messages).toMatchObject([
        {
          type: 'videoCallInfo',
          call: { callLogId: first, kind: 'video', status: 'ended', durationSeconds: 25, amount },
        },
      ]);
    }
  });

  it('records a missed call without a hold when the creator is unavailable, busy or offline', async () => {
    const startAndRead = async (pair: Awaited<ReturnType<typeof createCallPair>>) => (await startTestCall(pair)).json();
    const off = await createCallPair(app, { settings: { isAvailable: false } });
    expect(await startAndRead(off)).toMatchObject({ call: null, reason: 'unavailable' });
    const busy = await createCallPair(app);
    await offerTestCall(busy);
    const second = { ...(await createCallPair(app)), creator: busy.creator };
    expect(await startAndRead(second)).toMatchObject({ call: null, reason: 'busy' });
    expect(await wallet(second.fan.id)).toMatchObject({ availableCents: 10_000, heldCents: 0 });
    const away = await createCallPair(app);
    const stranger = await app.signUp('creator');
    await stranger.inject('PUT', '/api/creator/call-settings', {
      ...{ isAvailable: true, videoRate: RATE_USD, audioRate: null, minMinutes: 1, hours: [], timeZone: 'UTC' },
    });
    expect(await startAndRead({ ...away, creator: stranger })).toMatchObject({ call: null, reason: 'offline' });
  });

  it('cancels when the fan’s heartbeats stop, and ends unanswered after 45 seconds', async () => {
    const silent = await createCallPair(app);
    const [first, second] = [await offerTestCall(silent), await offerTestCall(await createCallPair(app))];
    for (let ms = 0; ms < 40_000; ms += 5_000) {
      app.clock.advance(5_000);
      await recordCallHeartbeat(app.ctx, { callId: second, side: 'fan', isConnected: undefined });
      await writeHeartbeats(app.ctx);
      await meterCalls(app.ctx);
    }
    expect(await getCallRow(app, first)).toMatchObject({ status: 'cancel', reason: 'cancelled' });
    expect(await getCallRow(app, second)).toMatchObject({ status: 'calling' });
    await later(5_000);
    expect(await getCallRow(app, second)).toMatchObject({ status: 'cancel', reason: 'noAnswer' });
  });
});

describe('every action in every call state', () => {
  type State = 'calling' | 'ringing' | 'received' | 'ended' | 'cancel';
  const reachState: Record<State, (pair: Awaited<ReturnType<typeof createCallPair>>) => Promise<string>> = {
    calling: offerTestCall,
    ringing: async (pair) => {
      const id = await offerTestCall(pair);
      expect((await actOnCall(pair.creator, 'ringing', id)).statusCode).toBe(200);
      return id;
    },
    received: (pair) => connectTestCall(app, pair),
    ended: async (pair) => {
      const id = await connectTestCall(app, pair);
      await actOnCall(pair.fan, 'end', id);
      return id;
    },
    cancel: async (pair) => {
      const id = await offerTestCall(pair);
      await actOnCall(pair.fan, 'cancelled', id);
      return id;
    },
  };
  const TRANSITIONS: [action: string, by: 'fan' | 'creator', Record<State, string>][] = [
    [
      'ringing',
      'creator',
      {
        calling: '200 ringing',
        ringing: '200 ringing',
        received: '409 received',
        ended: '409 ended',
        cancel: '409 cancel',
      },
    ],
    [
      'received',
      'creator',
      {
        calling: '200 received',
        ringing: '200 received',
        received: '200 received',
        ended: '409 ended',
        cancel: '409 cancel',
      },
    ],
    [
      'reject',
      'creator',
      {
        calling: '200 cancel',
        ringing: '200 cancel',
        received: '200 received',
        ended: '200 ended',
        cancel: '200 cancel',
      },
    ],
    [
      'cancelled',
      'fan',
      { calling: '200 cancel', ringing: '200 cancel', received: '200 ended', ended: '200 ended', cancel: '200 cancel' },
    ],
    [
      'end',
      'fan',
      { calling: '200 cancel', ringing: '200 cancel', received: '200 ended', ended: '200 ended', cancel: '200 cancel' },
    ],
    [
      'end',
      'creator',
      { calling: '200 cancel', ringing: '200 cancel', received: '200 ended', ended: '200 ended', cancel: '200 cancel' },
    ],
  ];
  const STATES: State[] = ['calling', 'ringing', 'received', 'ended', 'cancel'];
  for (const [action, by, outcomes] of TRANSITIONS)
    for (const state of STATES)
      it(`handles ${action} by the ${by} in the state ${state}`, async () => {
        const pair = await createCallPair(app);
        const stranger = await app.signUp(by === 'fan' ? 'customer' : 'creator');
        const id = await reachState[state](pair);
        const device = action === 'received' ? CREATOR_DEVICE : undefined;
        const before = await getCallRow(app, id);
        expect((await actOnCall(stranger, action, id, device)).json().code).toBe('NOT_FOUND');
        expect(await getCallRow(app, id)).toEqual(before);
        const response = await actOnCall(pair[by], action, id, device);
        expect(`${response.statusCode} ${(await getCallRow(app, id)).status}`).toBe(outcomes[state]);
        await actOnCall(pair.fan, 'end', id);
      });

  it('lets one device answer and another device take over', async () => {
    const pair = await createCallPair(app);
    const id = await connectTestCall(app, pair);
    expect((await actOnCall(pair.creator, 'received', id, 'another-tab')).json().code).toBe('CONFLICT');
    await talkInCall(app, id, 10_000);
    const { session } = (await pair.fan.inject('GET', '/api/call/current')).json().call;
    const connect = (user: typeof pair.fan, token: string, device: string) =>
      user.inject('POST', `/api/call/connect/${id}`, { token, device });
    expect((await connect(pair.fan, session.token, FAN_DEVICE)).json()).toMatchObject({
      isPolite: false,
      provider: 'webrtc',
      iceTransportPolicy: 'all',
      call: { status: 'received', clock: { isRunning: true, connectedMs: 10_000 } },
    });
    expect((await connect(pair.creator, session.token, CREATOR_DEVICE)).json().code).toBe('CONFLICT');
    const moved = await connect(pair.fan, session.token, 'the-fans-phone');
    expect(moved.json().call).toMatchObject({
      device: 'the-fans-phone',
      clock: { isRunning: false, connectedMs: 10_000 },
    });
    app.clock.advance(CALL_LIMITS.credentialSeconds * 1000);
    expect((await connect(pair.fan, session.token, FAN_DEVICE)).json().code).toBe('CONFLICT');
    await actOnCall(pair.creator, 'end', id);
  });
});

import { randomUUID } from 'node:crypto';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { setDailyLimit, setSpendingBlocked } from '../../ledger/index.ts';
import { makeDeposit } from '../../ledger/testing.ts';
import { creatorStats, walletOf } from '../../sales/index.ts';
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
  RATE,
  rowOf,
  start,
  talk,
  writeHearings,
} from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.http.ready();
});
afterEach(() => expectBooks(app));
afterAll(() => app.close());

const wallet = (fanId: string) => walletOf(app.ctx.db, fanId, app.clock.now());
const later = async (ms: number) => {
  app.clock.advance(ms);
  await meter(app.ctx);
};

describe('billing', () => {
  it('charges $7.55 for 2:31 at $3.00 a minute and releases the rest of the $15.00 hold (docs/money.md)', async () => {
    const pair = await makePair(app);
    const id = await connected(app, pair);
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 9_100, heldCents: 900 });
    await talk(app, id, 151_000);
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 8_500, heldCents: 1_500 });
    const ended = await act(pair.fan, 'end', id);
    expect(ended.json()).toEqual({ callLogId: id, status: 'ended', reason: 'hungUp' });
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 9_245, heldCents: 0, spentTodayCents: 755 });
    expect(await creatorStats(app.ctx.db, pair.creator.id, app.clock.now())).toMatchObject({
      earningsCents: { today: 604 },
    });
    expect(await rowOf(app, id)).toMatchObject({ charged_cents: 755, net_cents: 604, talked_ms: 151_000 });
    expect((await act(pair.creator, 'end', id)).json().reason).toBe('hungUp');
    expect((await wallet(pair.fan.id)).availableCents).toBe(9_245);
  });

  it('is free below 20 seconds and charged from 20 seconds on', async () => {
    const pair = await makePair(app);
    const short = await connected(app, pair);
    await talk(app, short, 19_999);
    await act(pair.creator, 'end', short);
    expect(await rowOf(app, short)).toMatchObject({ status: 'ended', charged_cents: 0, talked_ms: 19_999 });
    expect((await wallet(pair.fan.id)).availableCents).toBe(10_000);
    const long = await connected(app, pair);
    await talk(app, long, 20_000);
    await act(pair.creator, 'end', long);
    expect((await wallet(pair.fan.id)).availableCents).toBe(9_900);
  });

  it('ends at the second when the funds are used up', async () => {
    const pair = await makePair(app, { cents: 500 });
    const id = await connected(app, pair);
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 500 });
    await talk(app, id, 90_000);
    expect((await rowOf(app, id)).status).toBe('received');
    await talk(app, id, 20_000);
    expect(await rowOf(app, id)).toMatchObject({
      status: 'ended',
      reason: 'funds',
      talked_ms: 100_000,
      charged_cents: 500,
    });
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 0 });
  });

  it('warns once at 2 minutes and once at 30 seconds left, and again after a deposit', async () => {
    const pair = await makePair(app, { cents: 900 });
    const id = await connected(app, pair);
    const warnings = async () =>
      (await pair.fan.inject('GET', `/api/call/log/${id}`))
        .json()
        .timeline.filter(({ moment }: { moment: string }) => moment === 'warned')
        .map(({ talkedMs }: { talkedMs: number }) => talkedMs / 1000);
    await talk(app, id, 56_000);
    expect(await warnings()).toEqual([]);
    await talk(app, id, 100_000);
    expect(await warnings()).toEqual([60, 152]);
    await makeDeposit(app.ctx.db, pair.fan.id, 500, { at: app.clock.now() });
    await app.ctx.db.transaction((tx) => setSpendingBlocked(tx, pair.fan.id, false));
    await app.ctx.events.settle();
    expect(await rowOf(app, id)).toMatchObject({ held_cents: 1_400, warned_seconds: null });
    await talk(app, id, 60_000);
    expect(await warnings()).toEqual([60, 152, 160]);
    await act(pair.fan, 'end', id);
  });

  it('ends when the daily spending limit is reached', async () => {
    const pair = await makePair(app);
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 400));
    const id = await connected(app, pair);
    await talk(app, id, 90_000);
    expect(await rowOf(app, id)).toMatchObject({ reason: 'funds', talked_ms: 80_000, charged_cents: 400 });
  });

  it('charges no connection gap: stops the clock, waits for the lost side, then drops the call', async () => {
    const pair = await makePair(app);
    const id = await connected(app, pair);
    await talk(app, id, 30_000);
    await later(CALL.silenceMs + 1);
    expect(await rowOf(app, id)).toMatchObject({ status: 'received', talked_ms: 30_000, running_since: null });
    await later(CALL.gapSeconds * 1000 - 1);
    expect((await rowOf(app, id)).status).toBe('received');
    await talk(app, id, 30_000);
    expect((await rowOf(app, id)).status).toBe('received');
    await hear(app.ctx, { callId: id, side: 'fan', isConnected: false });
    await later(CALL.gapSeconds * 1000);
    expect(await rowOf(app, id)).toMatchObject({
      status: 'drop',
      reason: 'lost',
      talked_ms: 60_000,
      charged_cents: 300,
    });
  });

  it('measures connection losses of less than a second to the millisecond', async () => {
    const pair = await makePair(app);
    const id = await connected(app, pair);
    await talk(app, id, 20_400);
    for (const [standsMs, runsMs] of [
      [300, 200],
      [0, 50],
      [100, 0],
      [250, 2_400],
    ] as const) {
      await hear(app.ctx, { callId: id, side: 'creator', isConnected: false });
      app.clock.advance(standsMs);
      await hear(app.ctx, { callId: id, side: 'creator', isConnected: true });
      app.clock.advance(runsMs);
    }
    await act(pair.fan, 'end', id);
    expect(await rowOf(app, id)).toMatchObject({ talked_ms: 23_050, charged_cents: 115 });
    const { timeline } = (await pair.creator.inject('GET', `/api/call/log/${id}`)).json();
    const moments: { moment: string; at: string; talkedMs: number }[] = timeline;
    const clock = moments.filter(({ moment }) => moment.startsWith('clock'));
    expect(clock.map(({ moment }) => moment)).toEqual(Array(5).fill(['clockStarts', 'clockStops']).flat());
    expect(clock.map(({ talkedMs }) => talkedMs)).toEqual([
      0, 20_400, 20_400, 20_600, 20_600, 20_650, 20_650, 20_650, 20_650, 23_050,
    ]);
    const [from, to] = [clock.at(0), clock.at(-1)].map((one) => Date.parse(one?.at ?? ''));
    expect((to ?? 0) - (from ?? 0) - 23_050).toBe(650);
  });

  it('is free when the sides never connected', async () => {
    const pair = await makePair(app);
    const id = await offered(pair);
    await act(pair.creator, 'received', id, CREATOR_TAB);
    await hear(app.ctx, { callId: id, side: 'creator', isConnected: true });
    await later(CALL.setupSeconds * 1000);
    expect(await rowOf(app, id)).toMatchObject({ status: 'failed', reason: 'notConnected', charged_cents: 0 });
    expect((await wallet(pair.fan.id)).availableCents).toBe(10_000);
  });
});

describe('starting a call', () => {
  it('refuses invalid starts and returns the same call for a repeated operation', async () => {
    const pair = await makePair(app, { settings: { shortestMinutes: 5 } });
    const code = async (answer: ReturnType<typeof start>) => (await answer).json().code;
    expect(await code(start({ ...pair, creator: pair.fan }))).toBe('NOT_FOUND');
    expect(await code(start({ fan: pair.creator, creator: pair.creator }))).toBe('FORBIDDEN');
    expect((await start(pair, { amountPerMinute: 2 })).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'The price is now $3.00/min.',
    });
    const poor = await makePair(app, { cents: 1_499, settings: { shortestMinutes: 5 } });
    expect((await start(poor)).json()).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      message: 'You need at least $15.00 (5 min).',
    });
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 1_499));
    expect(await code(start(pair))).toBe('FORBIDDEN');
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, null));
    const key = randomUUID();
    const id = await offered(pair, { key });
    expect((await start(pair, { key })).json()).toMatchObject({ callLogId: id, call: { status: 'calling' } });
    expect(await code(start(pair, { key, type: 'audio', amountPerMinute: 2 }))).toBe('CONFLICT');
    expect(await code(start(pair))).toBe('CONFLICT');
    await act(pair.fan, 'cancelled', id);
    expect((await start(pair, { key })).json()).toEqual({ call: null, callLogId: id, reason: 'cancelled' });
  });

  it('refuses a blocked wallet and adds a finished call to the conversation', async () => {
    const pair = await makePair(app);
    await app.ctx.db.transaction((tx) => setSpendingBlocked(tx, pair.fan.id, true));
    expect((await start(pair)).json().code).toBe('FORBIDDEN');
    const met = await makePair(app);
    const first = await connected(app, met);
    await talk(app, first, 25_000);
    await act(met.fan, 'end', first);
    await app.ctx.events.settle();
    const [chat] = (await met.creator.inject('GET', '/api/message/conversation-list')).json().data;
    const { data: lines } = (await met.creator.inject('GET', `/api/message/list/${chat.id}`)).json();
    expect(lines).toMatchObject([
      {
        type: 'videoCallInfo',
        call: { callLogId: first, kind: 'video', status: 'ended', durationSeconds: 25, amount: 1.25 },
      },
    ]);
  });

  it('records a missed call without a hold when the creator is unavailable, busy or offline', async () => {
    const reasonOf = async (pair: Awaited<ReturnType<typeof makePair>>) => (await start(pair)).json();
    const off = await makePair(app, { settings: { isAvailable: false } });
    expect(await reasonOf(off)).toMatchObject({ call: null, reason: 'unavailable' });
    const busy = await makePair(app);
    await offered(busy);
    const second = { ...(await makePair(app)), creator: busy.creator };
    expect(await reasonOf(second)).toMatchObject({ call: null, reason: 'busy' });
    expect(await wallet(second.fan.id)).toMatchObject({ availableCents: 10_000, heldCents: 0 });
    const away = await makePair(app);
    const stranger = await app.signUp('creator');
    await stranger.inject('PUT', '/api/creator/call-settings', {
      ...{ isAvailable: true, videoRate: RATE, audioRate: null, shortestMinutes: 1, hours: [], timeZone: 'UTC' },
    });
    expect(await reasonOf({ ...away, creator: stranger })).toMatchObject({ call: null, reason: 'offline' });
  });

  it('cancels when the fan’s heartbeats stop, and ends unanswered after 45 seconds', async () => {
    const silent = await makePair(app);
    const [first, second] = [await offered(silent), await offered(await makePair(app))];
    for (let ms = 0; ms < 40_000; ms += 5_000) {
      app.clock.advance(5_000);
      await hear(app.ctx, { callId: second, side: 'fan', isConnected: undefined });
      await writeHearings(app.ctx);
      await meter(app.ctx);
    }
    expect(await rowOf(app, first)).toMatchObject({ status: 'cancel', reason: 'cancelled' });
    expect(await rowOf(app, second)).toMatchObject({ status: 'calling' });
    await later(5_000);
    expect(await rowOf(app, second)).toMatchObject({ status: 'cancel', reason: 'noAnswer' });
  });
});

describe('every action in every call state', () => {
  type State = 'calling' | 'ringing' | 'received' | 'ended' | 'cancel';
  const into: Record<State, (pair: Awaited<ReturnType<typeof makePair>>) => Promise<string>> = {
    calling: offered,
    ringing: async (pair) => {
      const id = await offered(pair);
      expect((await act(pair.creator, 'ringing', id)).statusCode).toBe(200);
      return id;
    },
    received: (pair) => connected(app, pair),
    ended: async (pair) => {
      const id = await connected(app, pair);
      await act(pair.fan, 'end', id);
      return id;
    },
    cancel: async (pair) => {
      const id = await offered(pair);
      await act(pair.fan, 'cancelled', id);
      return id;
    },
  };
  const T: [verb: string, by: 'fan' | 'creator', Record<State, string>][] = [
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
  for (const [verb, by, outcomes] of T)
    for (const state of STATES)
      it(`handles ${verb} by the ${by} in the state ${state}`, async () => {
        const pair = await makePair(app);
        const stranger = await app.signUp(by === 'fan' ? 'customer' : 'creator');
        const id = await into[state](pair);
        const device = verb === 'received' ? CREATOR_TAB : undefined;
        const before = await rowOf(app, id);
        expect((await act(stranger, verb, id, device)).json().code).toBe('NOT_FOUND');
        expect(await rowOf(app, id)).toEqual(before);
        const answer = await act(pair[by], verb, id, device);
        expect(`${answer.statusCode} ${(await rowOf(app, id)).status}`).toBe(outcomes[state]);
        await act(pair.fan, 'end', id);
      });

  it('lets one device answer and another device take over', async () => {
    const pair = await makePair(app);
    const id = await connected(app, pair);
    expect((await act(pair.creator, 'received', id, 'another-tab')).json().code).toBe('CONFLICT');
    await talk(app, id, 10_000);
    const { session } = (await pair.fan.inject('GET', '/api/call/current')).json().call;
    const connect = (user: typeof pair.fan, token: string, device: string) =>
      user.inject('POST', `/api/call/connect/${id}`, { token, device });
    expect((await connect(pair.fan, session.token, FAN_TAB)).json()).toMatchObject({
      isPolite: false,
      provider: 'webrtc',
      iceTransportPolicy: 'all',
      call: { status: 'received', clock: { isRunning: true, talkedMs: 10_000 } },
    });
    expect((await connect(pair.creator, session.token, CREATOR_TAB)).json().code).toBe('CONFLICT');
    const moved = await connect(pair.fan, session.token, 'the-fans-phone');
    expect(moved.json().call).toMatchObject({
      device: 'the-fans-phone',
      clock: { isRunning: false, talkedMs: 10_000 },
    });
    app.clock.advance(CALL.credentialSeconds * 1000);
    expect((await connect(pair.fan, session.token, FAN_TAB)).json().code).toBe('CONFLICT');
    await act(pair.creator, 'end', id);
  });
});

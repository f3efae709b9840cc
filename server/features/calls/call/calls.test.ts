/** Calls over HTTP: what each may do in each state, who is refused, and the money to the cent. */
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

describe('the money', () => {
  it('charges 2:31 at $3.00 with $7.55 of $15.00 held, and gives the rest back at once (docs/money.md)', async () => {
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
    // Again changes nothing.
    expect((await act(pair.creator, 'end', id)).json().reason).toBe('hungUp');
    expect((await wallet(pair.fan.id)).availableCents).toBe(9_245);
  });

  it('is free under 20 s, and charged from there', async () => {
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

  it('ends to the second with the money, and goes on where more comes in', async () => {
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

  it('warns at 2 min and at 30 s, once each, and anew after more came in', async () => {
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
    // Told as every change of what may be spent is.
    await app.ctx.db.transaction((tx) => setSpendingBlocked(tx, pair.fan.id, false));
    await app.ctx.events.settle();
    expect(await rowOf(app, id)).toMatchObject({ held_cents: 1_400, warned_seconds: null });
    await talk(app, id, 60_000);
    expect(await warnings()).toEqual([60, 152, 160]);
    await act(pair.fan, 'end', id);
  });

  it('ends with the day’s limit', async () => {
    const pair = await makePair(app);
    await app.ctx.db.transaction((tx) => setDailyLimit(tx, pair.fan.id, 400));
    const id = await connected(app, pair);
    await talk(app, id, 90_000);
    expect(await rowOf(app, id)).toMatchObject({ reason: 'funds', talked_ms: 80_000, charged_cents: 400 });
  });

  it('charges no gap: a lost side is waited for, and what nobody can prove is not counted', async () => {
    const pair = await makePair(app);
    const id = await connected(app, pair);
    await talk(app, id, 30_000);
    // Nothing more is heard of either.
    await later(CALL.silenceMs + 1);
    expect(await rowOf(app, id)).toMatchObject({ status: 'received', talked_ms: 30_000, running_since: null });
    await later(CALL.gapSeconds * 1000 - 1);
    expect((await rowOf(app, id)).status).toBe('received');
    await talk(app, id, 30_000);
    expect((await rowOf(app, id)).status).toBe('received');
    // One side says that it does not hear the other.
    await hear(app.ctx, { callId: id, side: 'fan', isConnected: false });
    await later(CALL.gapSeconds * 1000);
    expect(await rowOf(app, id)).toMatchObject({
      status: 'drop',
      reason: 'lost',
      talked_ms: 60_000,
      charged_cents: 300,
    });
  });

  it('counts a line that is lost and back within a second to the millisecond, none twice', async () => {
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
    // 20.4 + 0.2 + 0.05 + 2.4 seconds at five cents.
    expect(await rowOf(app, id)).toMatchObject({ talked_ms: 23_050, charged_cents: 115 });
    const { timeline } = (await pair.creator.inject('GET', `/api/call/log/${id}`)).json();
    const moments: { moment: string; at: string; talkedMs: number }[] = timeline;
    const clock = moments.filter(({ moment }) => moment.startsWith('clock'));
    expect(clock.map(({ moment }) => moment)).toEqual(Array(5).fill(['clockStarts', 'clockStops']).flat());
    expect(clock.map(({ talkedMs }) => talkedMs)).toEqual([
      0, 20_400, 20_400, 20_600, 20_600, 20_650, 20_650, 20_650, 20_650, 23_050,
    ]);
    // What stood is what is missing of the time between the first start and the end.
    const [from, to] = [clock.at(0), clock.at(-1)].map((one) => Date.parse(one?.at ?? ''));
    expect((to ?? 0) - (from ?? 0) - 23_050).toBe(650);
  });

  it('is free when it was never connected', async () => {
    const pair = await makePair(app);
    const id = await offered(pair);
    await act(pair.creator, 'received', id, CREATOR_TAB);
    await hear(app.ctx, { callId: id, side: 'creator', isConnected: true });
    await later(CALL.setupSeconds * 1000);
    expect(await rowOf(app, id)).toMatchObject({ status: 'failed', reason: 'notConnected', charged_cents: 0 });
    expect((await wallet(pair.fan.id)).availableCents).toBe(10_000);
  });
});

describe('beginning', () => {
  it('refuses who may not, and answers the same operation the same', async () => {
    const pair = await makePair(app, { settings: { shortestMinutes: 5 } });
    const code = async (answer: ReturnType<typeof start>) => (await answer).json().code;
    expect(await code(start({ ...pair, creator: pair.fan }))).toBe('NOT_FOUND');
    expect(await code(start({ fan: pair.creator, creator: pair.creator }))).toBe('FORBIDDEN');
    expect((await start(pair, { amountPerMinute: 2 })).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'The price is $3.00 a minute now.',
    });
    const poor = await makePair(app, { cents: 1_499, settings: { shortestMinutes: 5 } });
    expect((await start(poor)).json()).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      message: 'You need $15.00, for 5 minutes.',
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

  it('refuses a blocked wallet, and leaves a line of a call in the conversation', async () => {
    const pair = await makePair(app);
    await app.ctx.db.transaction((tx) => setSpendingBlocked(tx, pair.fan.id, true));
    expect((await start(pair)).json().code).toBe('FORBIDDEN');
    const met = await makePair(app);
    const first = await connected(app, met);
    await talk(app, first, 25_000);
    await act(met.fan, 'end', first);
    await app.ctx.events.settle();
    // Row F4: a line of it in their conversation.
    const [chat] = (await met.creator.inject('GET', '/api/message/conversation-list')).json().data;
    const { data: lines } = (await met.creator.inject('GET', `/api/message/list/${chat.id}`)).json();
    expect(lines).toMatchObject([
      {
        type: 'videoCallInfo',
        call: { callLogId: first, kind: 'video', status: 'ended', durationSeconds: 25, amount: 1.25 },
      },
    ]);
  });

  it('tells the creator of a missed call who is off, closed, offline or busy, and holds nothing', async () => {
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

  it('is given up when the fan falls silent, and ends after 45 s', async () => {
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

describe('each action in each state', () => {
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
      it(`${verb} by the ${by} in ${state}`, async () => {
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

  it('lets one device answer, and another take over', async () => {
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

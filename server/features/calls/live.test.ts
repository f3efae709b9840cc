import { randomUUID } from 'node:crypto';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { openTab, type Tab } from '../chat/testing.ts';
import { act, CREATOR_TAB, FAN_TAB, makePair, offered, rowOf, writeHearings } from './testing.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  const turn = { TURN_URLS: 'turn:127.0.0.1:3478', TURN_SECRET: 'north' };
  app = await createTestApp({ env: turn });
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: 30_000 });
const heard = async (tab: Tab, name: string, count = 1) => {
  await until(() => expect(tab.of(name).length).toBeGreaterThanOrEqual(count));
  return tab.of(name).at(-1);
};

async function ringing() {
  const pair = await makePair(app);
  const stranger = await app.signUp('creator');
  const tabs = {
    fan: await openTab(port, pair.fan.cookie),
    desk: await openTab(port, pair.creator.cookie),
    phone: await openTab(port, pair.creator.cookie),
    stranger: await openTab(port, stranger.cookie),
  };
  const id = await offered(pair);
  const close = () => {
    for (const tab of Object.values(tabs)) tab.close();
  };
  return { ...pair, id, tabs, close };
}

async function inCall() {
  const call = await ringing();
  const { id, tabs, fan, creator } = call;
  await act(creator, 'received', id, CREATOR_TAB);
  const tokenOf = async (user: typeof fan) => (await user.inject('GET', '/api/call/current')).json().call.session.token;
  const tokens = { fan: await tokenOf(fan), creator: await tokenOf(creator) };
  const bearing = {
    fan: { callLogId: id, token: tokens.fan, device: FAN_TAB },
    creator: { callLogId: id, token: tokens.creator, device: CREATOR_TAB },
  };
  return { ...call, tabs, bearing };
}

it('a call rings on every device of the creator, starts on the one that answers, and both sides are notified of its end', async () => {
  const { id, fan, creator, tabs, close } = await ringing();
  expect(await heard(tabs.fan, 'CALL_OFFER_FAN')).toEqual({
    ...{ callLogId: id, creatorId: creator.id, type: 'video', status: 'calling', device: FAN_TAB },
  });
  for (const tab of [tabs.desk, tabs.phone])
    expect(await heard(tab, 'CALL_OFFER')).toMatchObject({
      ...{ callLogId: id, customerId: fan.id, contentType: 'video', status: 'ringing', ringLeftMs: 45_000 },
      session: { callLogId: id, sessionId: id, amountPerMinute: 3 },
    });
  expect((await app.inject('GET', `/api/public/profile/${creator.id}`)).json().status).toBe('busy');
  expect((await act(creator, 'ringing', id)).json()).toMatchObject({ caller: { spent: 0, canTalkSeconds: 1_980 } });
  expect(await heard(tabs.fan, 'CALL_RINGING')).toEqual({ callLogId: id });
  await act(creator, 'received', id, CREATOR_TAB);
  const begun = { callLogId: id, device: CREATOR_TAB, otherDevice: FAN_TAB };
  for (const tab of [tabs.desk, tabs.phone]) expect(await heard(tab, 'BEGIN_CALL')).toEqual(begun);
  expect(await heard(tabs.fan, 'BEGIN_CALL')).toEqual({ callLogId: id, device: FAN_TAB, otherDevice: CREATOR_TAB });
  await act(creator, 'end', id);
  const over = { callLogId: id, status: 'ended', reason: 'hungUp', durationSeconds: 0, amount: 0 };
  for (const tab of [tabs.fan, tabs.desk, tabs.phone]) expect(await heard(tab, 'END_CALL')).toEqual(over);
  await until(async () =>
    expect((await app.inject('GET', `/api/public/profile/${creator.id}`)).json().status).toBe('online'),
  );
  expect(tabs.stranger.heard.filter(({ name }) => /CALL/.test(name))).toEqual([]);
  close();
});

it('the clock runs while both sides report a connection and stops at the last heartbeat of a closed socket', async () => {
  const { id, fan, tabs, bearing, close } = await inCall();
  tabs.fan.send('CALL_HEARD', { ...bearing.fan, isConnected: true });
  await until(async () => expect((await rowOf(app, id)).is_fan_connected).toBe(true));
  expect((await rowOf(app, id)).running_since).toBeNull();
  tabs.desk.send('CALL_HEARD', { ...bearing.creator, isConnected: true });
  for (const tab of [tabs.fan, tabs.phone]) {
    expect(await heard(tab, 'CALL_STARTED')).toMatchObject({ callLogId: id });
    expect(await heard(tab, 'CALL_CLOCK')).toMatchObject({
      callLogId: id,
      clock: { isRunning: true, gapLeftMs: null },
    });
  }
  app.clock.advance(5_000);
  tabs.fan.send('CALL_HEARD', { ...bearing.fan, isConnected: true });
  tabs.desk.send('CALL_HEARD', { ...bearing.creator, isConnected: true });
  // Signals arrive in order, so the heartbeats before have been received.
  tabs.desk.send('CALL_SIGNAL', { ...bearing.creator, shown: { audio: true, video: true } });
  tabs.fan.send('CALL_SIGNAL', { ...bearing.fan, shown: { audio: true, video: true } });
  await heard(tabs.fan, 'CALL_SIGNAL');
  await heard(tabs.desk, 'CALL_SIGNAL');
  await writeHearings(app.ctx);
  app.clock.advance(6_000);
  tabs.desk.close();
  await until(() =>
    expect(tabs.fan.of('CALL_CLOCK').at(-1)).toMatchObject({
      clock: { isRunning: false, talkedMs: 5_000, gapLeftMs: CALL.gapSeconds * 1000 },
    }),
  );
  await act(fan, 'end', id);
  close();
});

it('signals are relayed without addresses between the devices of the call, and forged ones are dropped', async () => {
  const { id, fan, creator, tabs, bearing, close } = await inCall();
  const candidate = (typ: string) => ({
    candidate: `candidate:1 1 udp 1 203.0.113.9 5000 typ ${typ} raddr 10.0.0.1 rport 1`,
  });
  const sdp = `v=0\r\nc=IN IP4 203.0.113.9\r\na=${candidate('host').candidate}\r\n`;
  const forged: [Tab, object][] = [
    [tabs.stranger, bearing.fan],
    [tabs.stranger, bearing.creator],
    [tabs.fan, { ...bearing.fan, token: bearing.creator.token }],
    [tabs.fan, { ...bearing.fan, device: 'another-tab-of-mine' }],
    [tabs.fan, { ...bearing.fan, callLogId: randomUUID() }],
    [tabs.fan, { ...bearing.fan, token: `${bearing.fan.token}x` }],
    [tabs.phone, { ...bearing.creator, device: 'the-other-phone' }],
  ];
  for (const [tab, bears] of forged) {
    tab.send('CALL_SIGNAL', { ...bears, description: { type: 'offer', sdp } });
    tab.send('CALL_HEARD', { ...bears, isConnected: true });
  }
  for (const spoiled of [
    undefined,
    5,
    [],
    { ...bearing.fan },
    { ...bearing.fan, description: { type: 'offer', sdp: 'x'.repeat(CALL.descriptionLength + 1) } },
  ])
    tabs.fan.send('CALL_SIGNAL', spoiled);
  tabs.fan.send('CALL_SIGNAL', { ...bearing.fan, candidate: candidate('host') });
  tabs.fan.send('CALL_SIGNAL', { ...bearing.fan, candidate: candidate('srflx') });
  tabs.fan.send('CALL_SIGNAL', { ...bearing.fan, candidate: candidate('relay') });
  tabs.fan.send('CALL_SIGNAL', { ...bearing.fan, description: { type: 'offer', sdp } });
  await heard(tabs.desk, 'CALL_SIGNAL', 2);
  expect(tabs.desk.of('CALL_SIGNAL')).toEqual([
    {
      ...{ callLogId: id, to: CREATOR_TAB },
      candidate: {
        candidate: 'candidate:1 1 udp 1 203.0.113.9 5000 typ relay raddr 0.0.0.0 rport 0',
        ...{ sdpMid: null, sdpMLineIndex: null, usernameFragment: null },
      },
    },
    {
      ...{ callLogId: id, to: CREATOR_TAB },
      description: { type: 'offer', sdp: 'v=0\r\nc=IN IP4 0.0.0.0\r\n' },
    },
  ]);
  expect(await rowOf(app, id)).toMatchObject({ is_fan_connected: false, is_creator_connected: false });
  app.clock.advance(CALL.credentialSeconds * 1000);
  tabs.fan.send('CALL_HEARD', { ...bearing.fan, isConnected: true });
  const way = await fan.inject('POST', `/api/call/connect/${id}`, { token: bearing.fan.token, device: FAN_TAB });
  expect(way.json().code).toBe('CONFLICT');
  await act(creator, 'end', id);
  expect(tabs.fan.of('CALL_SIGNAL')).toEqual([]);
  close();
});

it('signals above the rate limit are dropped, and later ones are relayed again', async () => {
  const { fan, id, tabs, bearing, close } = await inCall();
  const shown = { ...bearing.fan, shown: { audio: true, video: true } };
  for (let sent = 0; sent < CALL.signalsInTenSeconds + 150; sent += 1) tabs.fan.send('CALL_SIGNAL', shown);
  await heard(tabs.desk, 'CALL_SIGNAL', CALL.signalsInTenSeconds);
  app.clock.advance(10_000);
  tabs.fan.send('CALL_SIGNAL', { ...bearing.fan, shown: { audio: false, video: false } });
  await until(() => expect(tabs.desk.of('CALL_SIGNAL').at(-1)).toMatchObject({ shown: { audio: false } }));
  expect(tabs.desk.of('CALL_SIGNAL')).toHaveLength(CALL.signalsInTenSeconds + 1);
  await act(fan, 'end', id);
  close();
});

it('a call ends when the session of one side ends', async () => {
  const { id, fan, tabs, bearing, close } = await inCall();
  tabs.fan.send('CALL_HEARD', { ...bearing.fan, isConnected: true });
  await until(async () => expect((await rowOf(app, id)).is_fan_connected).toBe(true));
  expect((await fan.inject('POST', '/api/auth/logout')).statusCode).toBe(200);
  expect(await heard(tabs.desk, 'END_CALL')).toMatchObject({ callLogId: id, status: 'ended', reason: 'stopped' });
  close();
});

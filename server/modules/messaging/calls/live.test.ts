import { randomUUID } from 'node:crypto';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { openTab, type TestTab } from '../chat/testing.ts';
import {
  actOnCall,
  CREATOR_DEVICE,
  createCallPair,
  FAN_DEVICE,
  getCallRow,
  offerTestCall,
  writeHeartbeats,
} from './testing.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  const turn = { TURN_URLS: 'turn:127.0.0.1:3478', TURN_SECRET: 'north' };
  app = await createTestApp({ env: turn });
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000 });
const waitForEvent = async (tab: TestTab, name: string, count = 1) => {
  await until(() => expect(tab.listPayloads(name).length).toBeGreaterThanOrEqual(count));
  return tab.listPayloads(name).at(-1);
};

async function ringing() {
  const pair = await createCallPair(app);
  const stranger = await app.signUp('creator');
  const tabs = {
    fan: await openTab(port, pair.fan.cookie),
    desktop: await openTab(port, pair.creator.cookie),
    phone: await openTab(port, pair.creator.cookie),
    stranger: await openTab(port, stranger.cookie),
  };
  const id = await offerTestCall(pair);
  const close = () => {
    for (const tab of Object.values(tabs)) tab.close();
  };
  return { ...pair, id, tabs, close };
}

async function inCall() {
  const call = await ringing();
  const { id, tabs, fan, creator } = call;
  await actOnCall(creator, 'received', id, CREATOR_DEVICE);
  const getToken = async (user: typeof fan) =>
    (await user.inject('GET', '/api/call/current')).json().call.session.token;
  const tokens = { fan: await getToken(fan), creator: await getToken(creator) };
  const senderFields = {
    fan: { callLogId: id, token: tokens.fan, device: FAN_DEVICE },
    creator: { callLogId: id, token: tokens.creator, device: CREATOR_DEVICE },
  };
  return { ...call, tabs, senderFields };
}

it('a call rings on every device of the creator, starts on the one that answers, and both sides are notified of its end', async () => {
  const { id, fan, creator, tabs, close } = await ringing();
  expect(await waitForEvent(tabs.fan, 'CALL_OFFER_FAN')).toEqual({
    ...{ callLogId: id, creatorId: creator.id, type: 'video', status: 'calling', device: FAN_DEVICE },
  });
  for (const tab of [tabs.desktop, tabs.phone])
    expect(await waitForEvent(tab, 'CALL_OFFER')).toMatchObject({
      ...{ callLogId: id, customerId: fan.id, contentType: 'video', status: 'ringing', ringLeftMs: 45_000 },
      session: { callLogId: id, sessionId: id, amountPerMinute: 3 },
    });
  expect((await app.inject('GET', `/api/public/profile/${creator.id}`)).json().status).toBe('busy');
  expect((await actOnCall(creator, 'ringing', id)).json()).toMatchObject({
    caller: { spent: 0, affordableSeconds: 1_980 },
  });
  expect(await waitForEvent(tabs.fan, 'CALL_RINGING')).toEqual({ callLogId: id });
  await actOnCall(creator, 'received', id, CREATOR_DEVICE);
  const beginPayload = { callLogId: id, device: CREATOR_DEVICE, otherDevice: FAN_DEVICE };
  for (const tab of [tabs.desktop, tabs.phone]) expect(await waitForEvent(tab, 'BEGIN_CALL')).toEqual(beginPayload);
  expect(await waitForEvent(tabs.fan, 'BEGIN_CALL')).toEqual({
    callLogId: id,
    device: FAN_DEVICE,
    otherDevice: CREATOR_DEVICE,
  });
  await actOnCall(creator, 'end', id);
  const endPayload = { callLogId: id, status: 'ended', reason: 'hungUp', durationSeconds: 0, amount: 0 };
  for (const tab of [tabs.fan, tabs.desktop, tabs.phone])
    expect(await waitForEvent(tab, 'END_CALL')).toEqual(endPayload);
  await until(async () =>
    expect((await app.inject('GET', `/api/public/profile/${creator.id}`)).json().status).toBe('online'),
  );
  expect(tabs.stranger.received.filter(({ name }) => /CALL/.test(name))).toEqual([]);
  close();
});

it('the clock runs while both sides report a connection and stops at the last heartbeat of a closed socket', async () => {
  const { id, fan, tabs, senderFields, close } = await inCall();
  tabs.fan.send('CALL_HEARTBEAT', { ...senderFields.fan, isConnected: true });
  await until(async () => expect((await getCallRow(app, id)).is_fan_connected).toBe(true));
  expect((await getCallRow(app, id)).running_since).toBeNull();
  tabs.desktop.send('CALL_HEARTBEAT', { ...senderFields.creator, isConnected: true });
  for (const tab of [tabs.fan, tabs.phone]) {
    expect(await waitForEvent(tab, 'CALL_STARTED')).toMatchObject({ callLogId: id });
    expect(await waitForEvent(tab, 'CALL_CLOCK')).toMatchObject({
      callLogId: id,
      clock: { isRunning: true, reconnectLeftMs: null },
    });
  }
  app.clock.advance(5_000);
  tabs.fan.send('CALL_HEARTBEAT', { ...senderFields.fan, isConnected: true });
  tabs.desktop.send('CALL_HEARTBEAT', { ...senderFields.creator, isConnected: true });
  // Signals arrive in order, so the heartbeats before have been received.
  tabs.desktop.send('CALL_SIGNAL', { ...senderFields.creator, activeMedia: { audio: true, video: true } });
  tabs.fan.send('CALL_SIGNAL', { ...senderFields.fan, activeMedia: { audio: true, video: true } });
  await waitForEvent(tabs.fan, 'CALL_SIGNAL');
  await waitForEvent(tabs.desktop, 'CALL_SIGNAL');
  await writeHeartbeats(app.ctx);
  app.clock.advance(6_000);
  tabs.desktop.close();
  await until(() =>
    expect(tabs.fan.listPayloads('CALL_CLOCK').at(-1)).toMatchObject({
      clock: { isRunning: false, connectedMs: 5_000, reconnectLeftMs: CALL_LIMITS.reconnectSeconds * 1000 },
    }),
  );
  await actOnCall(fan, 'end', id);
  close();
});

it('signals are relayed without addresses between the devices of the call, and forged ones are dropped', async () => {
  const { id, fan, creator, tabs, senderFields, close } = await inCall();
  const candidate = (typ: string) => ({
    candidate: `candidate:1 1 udp 1 203.0.113.9 5000 typ ${typ} raddr 10.0.0.1 rport 1`,
  });
  const sdp = `v=0\r\nc=IN IP4 203.0.113.9\r\na=${candidate('host').candidate}\r\n`;
  const forged: [TestTab, object][] = [
    [tabs.stranger, senderFields.fan],
    [tabs.stranger, senderFields.creator],
    [tabs.fan, { ...senderFields.fan, token: senderFields.creator.token }],
    [tabs.fan, { ...senderFields.fan, device: 'another-tab-of-mine' }],
    [tabs.fan, { ...senderFields.fan, callLogId: randomUUID() }],
    [tabs.fan, { ...senderFields.fan, token: `${senderFields.fan.token}x` }],
    [tabs.phone, { ...senderFields.creator, device: 'the-other-phone' }],
  ];
  for (const [tab, fields] of forged) {
    tab.send('CALL_SIGNAL', { ...fields, description: { type: 'offer', sdp } });
    tab.send('CALL_HEARTBEAT', { ...fields, isConnected: true });
  }
  for (const spoiled of [
    undefined,
    5,
    [],
    { ...senderFields.fan },
    { ...senderFields.fan, description: { type: 'offer', sdp: 'x'.repeat(CALL_LIMITS.descriptionLength + 1) } },
  ])
    tabs.fan.send('CALL_SIGNAL', spoiled);
  tabs.fan.send('CALL_SIGNAL', { ...senderFields.fan, candidate: candidate('host') });
  tabs.fan.send('CALL_SIGNAL', { ...senderFields.fan, candidate: candidate('srflx') });
  tabs.fan.send('CALL_SIGNAL', { ...senderFields.fan, candidate: candidate('relay') });
  tabs.fan.send('CALL_SIGNAL', { ...senderFields.fan, description: { type: 'offer', sdp } });
  await waitForEvent(tabs.desktop, 'CALL_SIGNAL', 2);
  expect(tabs.desktop.listPayloads('CALL_SIGNAL')).toEqual([
    {
      ...{ callLogId: id, to: CREATOR_DEVICE },
      candidate: {
        candidate: 'candidate:1 1 udp 1 203.0.113.9 5000 typ relay raddr 0.0.0.0 rport 0',
        ...{ sdpMid: null, sdpMLineIndex: null, usernameFragment: null },
      },
    },
    {
      ...{ callLogId: id, to: CREATOR_DEVICE },
      description: { type: 'offer', sdp: 'v=0\r\nc=IN IP4 0.0.0.0\r\n' },
    },
  ]);
  expect(await getCallRow(app, id)).toMatchObject({ is_fan_connected: false, is_creator_connected: false });
  app.clock.advance(CALL_LIMITS.credentialSeconds * 1000);
  tabs.fan.send('CALL_HEARTBEAT', { ...senderFields.fan, isConnected: true });
  const response = await fan.inject('POST', `/api/call/connect/${id}`, {
    token: senderFields.fan.token,
    device: FAN_DEVICE,
  });
  expect(response.json().code).toBe('CONFLICT');
  await actOnCall(creator, 'end', id);
  expect(tabs.fan.listPayloads('CALL_SIGNAL')).toEqual([]);
  close();
});

it('signals above the rate limit are dropped, and later ones are relayed again', async () => {
  const { fan, id, tabs, senderFields, close } = await inCall();
  const shown = { ...senderFields.fan, activeMedia: { audio: true, video: true } };
  for (let sent = 0; sent < CALL_LIMITS.signalsPerTenSeconds + 150; sent += 1) tabs.fan.send('CALL_SIGNAL', shown);
  await waitForEvent(tabs.desktop, 'CALL_SIGNAL', CALL_LIMITS.signalsPerTenSeconds);
  app.clock.advance(10_000);
  tabs.fan.send('CALL_SIGNAL', { ...senderFields.fan, activeMedia: { audio: false, video: false } });
  await until(() =>
    expect(tabs.desktop.listPayloads('CALL_SIGNAL').at(-1)).toMatchObject({ activeMedia: { audio: false } }),
  );
  expect(tabs.desktop.listPayloads('CALL_SIGNAL')).toHaveLength(CALL_LIMITS.signalsPerTenSeconds + 1);
  await actOnCall(fan, 'end', id);
  close();
});

it('a call ends when the session of one side ends', async () => {
  const { id, fan, tabs, senderFields, close } = await inCall();
  tabs.fan.send('CALL_HEARTBEAT', { ...senderFields.fan, isConnected: true });
  await until(async () => expect((await getCallRow(app, id)).is_fan_connected).toBe(true));
  expect((await fan.inject('POST', '/api/auth/logout')).statusCode).toBe(200);
  expect(await waitForEvent(tabs.desktop, 'END_CALL')).toMatchObject({
    callLogId: id,
    status: 'ended',
    reason: 'stopped',
  });
  close();
});

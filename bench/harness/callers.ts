/**
 * A process that simulates calls: both sides of each pair have a socket, use the product's own routes and events, and
 * send a heartbeat every three seconds. No media is sent.
 */
import { randomUUID } from 'node:crypto';
import { HEARTBEAT_MS } from '@stagedoor/contract/shared/limits.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { CallerPair } from '../fixtures/callers.ts';
import { respondToParent } from '../servers/parent-messages.ts';
import { startChild } from './child.ts';

/** Connects pairs to the product and to the minimal server. Returns how many are connected in total. */
export type ConnectJob = { connect: readonly CallerPair[]; port: number; thinPort: number };
export type TimeJob = { time: number };
export type CallTimings = { ringMs: number[]; beginMs: number[]; thinMs: number[] };
export type StartCallsJob = { talk: number };
/** Sends the heartbeats of this many pairs with invalid tokens, so that the server drops them. */
export type DropJob = { drop: number };
export type EndJob = { end: true };

export async function startCallers() {
  const child = await startChild('harness/callers.ts');
  return {
    connect: (job: ConnectJob) => child.request<number>(job),
    time: (job: TimeJob) => child.request<CallTimings>(job),
    talk: (job: StartCallsJob) => child.request<number>(job),
    drop: (job: DropJob) => child.request<number>(job),
    end: () => child.request<number>({ end: true } satisfies EndJob),
    stop: child.stop,
  };
}

const DEADLINE_MS = 20_000;
const RENEW_MS = (CALL_LIMITS.credentialSeconds / 2) * 1000;
const CONCURRENCY = 8;

type CallSide = 'fan' | 'creator';
type Listener = { name: string; onEvent: () => void };
type ConnectedPair = CallerPair & {
  sockets: Record<CallSide, WebSocket>;
  thin: WebSocket;
  listeners: Record<CallSide | 'thin', Listener[]>;
  call: { id: string; tokens: Record<CallSide, string> } | undefined;
  timers: NodeJS.Timeout[];
};

const SIDES = ['fan', 'creator'] as const;
const DEVICE = { fan: 'tab-of-the-fan', creator: 'tab-of-the-creator' } as const;
const connectedPairs: ConnectedPair[] = [];
let [port, thinPort] = [0, 0];

async function openSocket(
  targetPort: number,
  headers: Record<string, string>,
  listeners: Listener[],
): Promise<WebSocket> {
  const isBare = targetPort === thinPort;
  const socket = new WebSocket(`ws://127.0.0.1:${targetPort}/${isBare ? '' : 'socket.io/?EIO=4&transport=websocket'}`, {
    headers,
  });
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('no connection')), DEADLINE_MS);
    const done = () => {
      clearTimeout(limit);
      resolve();
    };
    if (isBare) socket.addEventListener('open', done);
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40');
      else if (text === '2') socket.send('3');
      else if (text.startsWith('40')) done();
      else if (text.startsWith('42["')) {
        const name = text.slice(4, text.indexOf('"', 4));
        for (const one of listeners.filter((listener) => listener.name === name)) {
          listeners.splice(listeners.indexOf(one), 1);
          one.onEvent();
        }
      }
    });
  });
  return socket;
}

function waitForEvent(listeners: Listener[], name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`no ${name}`)), DEADLINE_MS);
    listeners.push({
      name,
      onEvent: () => {
        clearTimeout(limit);
        resolve();
      },
    });
  });
}

async function postJson(
  targetPort: number,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${targetPort}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

type OpenedCall = { session: { token: string } };
type StartedCall = { call: OpenedCall | null; callLogId: string; reason: string | null };
const toCookieHeaders = (pair: CallerPair, side: CallSide) => ({
  cookie: side === 'fan' ? pair.fanCookie : pair.creatorCookie,
});

async function startCall(pair: ConnectedPair): Promise<{ ringMs: number; beginMs: number }> {
  const calledAt = performance.now();
  const rings = waitForEvent(pair.listeners.creator, 'CALL_OFFER').then(() => performance.now() - calledAt);
  const input = { creatorId: pair.creatorId, type: 'video', amountPerMinute: 3, device: DEVICE.fan };
  const key = { 'idempotency-key': randomUUID() };
  const {
    call,
    callLogId: id,
    reason,
  } = (await postJson(port, '/api/call/start', { ...toCookieHeaders(pair, 'fan'), ...key }, input)) as StartedCall;
  if (!call) throw new Error(`not offered: ${reason}`);
  const ringMs = await rings;
  const answeredAt = performance.now();
  const begins = waitForEvent(pair.listeners.fan, 'BEGIN_CALL').then(() => performance.now() - answeredAt);
  const device = { device: DEVICE.creator };
  const accepted = (await postJson(
    port,
    `/api/call/received/${id}`,
    toCookieHeaders(pair, 'creator'),
    device,
  )) as OpenedCall;
  pair.call = { id, tokens: { fan: call.session.token, creator: accepted.session.token } };
  return { ringMs, beginMs: await begins };
}

async function endCall(pair: ConnectedPair): Promise<void> {
  for (const timer of pair.timers.splice(0)) clearInterval(timer);
  if (pair.call) await postJson(port, `/api/call/end/${pair.call.id}`, toCookieHeaders(pair, 'fan'));
  pair.call = undefined;
}

function startHeartbeat(pair: ConnectedPair, side: CallSide, callLogId: string, token: () => string): void {
  const sendHeartbeat = () => {
    const heartbeat = { callLogId, token: token(), device: DEVICE[side], isConnected: true };
    pair.sockets[side].send(`42${JSON.stringify(['CALL_HEARTBEAT', heartbeat])}`);
  };
  sendHeartbeat();
  pair.timers.push(setInterval(sendHeartbeat, CALL_LIMITS.heartbeatMs));
}

function startHeartbeats(pair: ConnectedPair): void {
  const { call } = pair;
  if (!call) return;
  for (const side of SIDES) {
    startHeartbeat(pair, side, call.id, () => call.tokens[side]);
    const renew = async () => {
      const body = { token: call.tokens[side], device: DEVICE[side] };
      const reconnected = (await postJson(port, `/api/call/connect/${call.id}`, toCookieHeaders(pair, side), body)) as {
        call: OpenedCall;
      };
      call.tokens[side] = reconnected.call.session.token;
    };
    pair.timers.push(setInterval(() => void renew(), RENEW_MS));
  }
}

async function forEachConcurrently<T>(items: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const remaining = [...items];
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let one = remaining.shift(); one !== undefined; one = remaining.shift()) await work(one);
    }),
  );
}

async function connect(job: ConnectJob): Promise<number> {
  ({ port, thinPort } = job);
  await forEachConcurrently(job.connect, async (pair) => {
    const listeners = { fan: [], creator: [], thin: [] };
    const sockets = {
      fan: await openSocket(port, toCookieHeaders(pair, 'fan'), listeners.fan),
      creator: await openSocket(port, toCookieHeaders(pair, 'creator'), listeners.creator),
    };
    const thin = await openSocket(thinPort, { fan: pair.creatorId }, listeners.thin);
    // A user is considered gone after two missed heartbeats.
    for (const side of SIDES)
      setInterval(() => sockets[side].send('42["USER_STATUS_ACTIVITY",{}]'), HEARTBEAT_MS).unref();
    connectedPairs.push({ ...pair, sockets, thin, listeners, call: undefined, timers: [] });
  });
  return connectedPairs.length;
}

async function timeThinMessage({ creatorId, listeners }: ConnectedPair): Promise<number> {
  const sent = performance.now();
  const arrivalMs = waitForEvent(listeners.thin, 'RECEIVE_MESSAGE').then(() => performance.now() - sent);
  const body = { conversationId: randomUUID(), to: creatorId, clientId: randomUUID(), text: 'ring' };
  await postJson(thinPort, '/message', { fan: randomUUID() }, body);
  return arrivalMs;
}

async function time({ time: count }: TimeJob): Promise<CallTimings> {
  const timed: CallTimings = { ringMs: [], beginMs: [], thinMs: [] };
  for (let n = 0; n < count; n += 1) {
    const pair = connectedPairs[n % connectedPairs.length];
    if (!pair) throw new Error('no pair is connected');
    timed.thinMs.push(await timeThinMessage(pair));
    const { ringMs, beginMs } = await startCall(pair);
    timed.ringMs.push(ringMs);
    timed.beginMs.push(beginMs);
    const ended = waitForEvent(pair.listeners.creator, 'END_CALL');
    await endCall(pair);
    await ended;
  }
  return timed;
}

async function talk({ talk: count }: StartCallsJob): Promise<number> {
  await forEachConcurrently(connectedPairs.slice(0, count), async (pair) => {
    const starts = waitForEvent(pair.listeners.fan, 'CALL_STARTED');
    await startCall(pair);
    startHeartbeats(pair);
    await starts;
  });
  return count;
}

function drop({ drop: count }: DropJob): number {
  for (const pair of connectedPairs.slice(0, count))
    for (const side of SIDES) startHeartbeat(pair, side, randomUUID(), () => 'x'.repeat(220));
  return count;
}

async function end(): Promise<number> {
  await forEachConcurrently(connectedPairs, endCall);
  return connectedPairs.length;
}

if (process.argv[1] === import.meta.filename) {
  respondToParent(0, async (question) => {
    const job = question as ConnectJob | TimeJob | StartCallsJob | DropJob | EndJob;
    if ('connect' in job) return connect(job);
    if ('time' in job) return time(job);
    if ('talk' in job) return talk(job);
    return 'drop' in job ? drop(job) : end();
  });
}

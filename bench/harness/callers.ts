/**
 * A process that simulates calls: both sides of each pair have a socket, use the product's own routes and events, and
 * send a heartbeat every three seconds. No media is sent.
 */
import { randomUUID } from 'node:crypto';
import { HEARTBEAT_MS } from '@stagedoor/contract/atoms/limits.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { answerParent } from '../servers/answer.ts';
import type { Pair } from '../worlds/callers.ts';
import { startChild } from './child.ts';

/** Connects pairs to the product and to the minimal server. Returns how many are connected in total. */
export type Seat = { seat: readonly Pair[]; port: number; thinPort: number };
export type Time = { time: number };
export type Timed = { ringMs: number[]; beginMs: number[]; thinMs: number[] };
export type Talk = { talk: number };
/** Sends the heartbeats of this many pairs with invalid tokens, so that the server drops them. */
export type Drop = { drop: number };
export type End = { end: true };

export async function startCallers() {
  const child = await startChild('harness/callers.ts');
  return {
    seat: (job: Seat) => child.ask<number>(job),
    time: (job: Time) => child.ask<Timed>(job),
    talk: (job: Talk) => child.ask<number>(job),
    drop: (job: Drop) => child.ask<number>(job),
    end: () => child.ask<number>({ end: true } satisfies End),
    stop: child.stop,
  };
}

const DEADLINE_MS = 20_000;
const RENEW_MS = (CALL.credentialSeconds / 2) * 1000;
const AT_ONCE = 8;

type Side = 'fan' | 'creator';
type Listener = { name: string; heard: () => void };
type Seated = Pair & {
  sockets: Record<Side, WebSocket>;
  thin: WebSocket;
  listeners: Record<Side | 'thin', Listener[]>;
  call: { id: string; tokens: Record<Side, string> } | undefined;
  saying: NodeJS.Timeout[];
};

const SIDES = ['fan', 'creator'] as const;
const DEVICE = { fan: 'tab-of-the-fan', creator: 'tab-of-the-creator' } as const;
const seated: Seated[] = [];
let [port, thinPort] = [0, 0];

async function open(at: number, headers: Record<string, string>, listeners: Listener[]): Promise<WebSocket> {
  const isBare = at === thinPort;
  const socket = new WebSocket(`ws://127.0.0.1:${at}/${isBare ? '' : 'socket.io/?EIO=4&transport=websocket'}`, {
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
        for (const one of listeners.filter((known) => known.name === name)) {
          listeners.splice(listeners.indexOf(one), 1);
          one.heard();
        }
      }
    });
  });
  return socket;
}

function next(listeners: Listener[], name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`no ${name}`)), DEADLINE_MS);
    listeners.push({
      name,
      heard: () => {
        clearTimeout(limit);
        resolve();
      },
    });
  });
}

async function post(at: number, path: string, headers: Record<string, string>, body?: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${at}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

type Opened = { session: { token: string } };
type Begun = { call: Opened | null; callLogId: string; reason: string | null };
const cookieOf = (pair: Pair, side: Side) => ({ cookie: side === 'fan' ? pair.fanCookie : pair.creatorCookie });

async function begin(pair: Seated): Promise<{ ringMs: number; beginMs: number }> {
  const called = performance.now();
  const rings = next(pair.listeners.creator, 'CALL_OFFER').then(() => performance.now() - called);
  const wish = { creatorId: pair.creatorId, type: 'video', amountPerMinute: 3, device: DEVICE.fan };
  const key = { 'idempotency-key': randomUUID() };
  const {
    call,
    callLogId: id,
    reason,
  } = (await post(port, '/api/call/start', { ...cookieOf(pair, 'fan'), ...key }, wish)) as Begun;
  if (!call) throw new Error(`not offered: ${reason}`);
  const ringMs = await rings;
  const answered = performance.now();
  const begins = next(pair.listeners.fan, 'BEGIN_CALL').then(() => performance.now() - answered);
  const device = { device: DEVICE.creator };
  const taken = (await post(port, `/api/call/received/${id}`, cookieOf(pair, 'creator'), device)) as Opened;
  pair.call = { id, tokens: { fan: call.session.token, creator: taken.session.token } };
  return { ringMs, beginMs: await begins };
}

async function hangUp(pair: Seated): Promise<void> {
  for (const timer of pair.saying.splice(0)) clearInterval(timer);
  if (pair.call) await post(port, `/api/call/end/${pair.call.id}`, cookieOf(pair, 'fan'));
  pair.call = undefined;
}

function say(pair: Seated, side: Side, callLogId: string, token: () => string): void {
  const one = () => {
    const said = { callLogId, token: token(), device: DEVICE[side], isConnected: true };
    pair.sockets[side].send(`42${JSON.stringify(['CALL_HEARD', said])}`);
  };
  one();
  pair.saying.push(setInterval(one, CALL.heartbeatMs));
}

function goOn(pair: Seated): void {
  const { call } = pair;
  if (!call) return;
  for (const side of SIDES) {
    say(pair, side, call.id, () => call.tokens[side]);
    const renew = async () => {
      const body = { token: call.tokens[side], device: DEVICE[side] };
      const way = (await post(port, `/api/call/connect/${call.id}`, cookieOf(pair, side), body)) as { call: Opened };
      call.tokens[side] = way.call.session.token;
    };
    pair.saying.push(setInterval(() => void renew(), RENEW_MS));
  }
}

async function each<T>(some: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...some];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
    }),
  );
}

async function seat(job: Seat): Promise<number> {
  ({ port, thinPort } = job);
  await each(job.seat, async (pair) => {
    const listeners = { fan: [], creator: [], thin: [] };
    const sockets = {
      fan: await open(port, cookieOf(pair, 'fan'), listeners.fan),
      creator: await open(port, cookieOf(pair, 'creator'), listeners.creator),
    };
    const thin = await open(thinPort, { fan: pair.creatorId }, listeners.thin);
    // A user is considered gone after two missed heartbeats.
    for (const side of SIDES)
      setInterval(() => sockets[side].send('42["USER_STATUS_ACTIVITY",{}]'), HEARTBEAT_MS).unref();
    seated.push({ ...pair, sockets, thin, listeners, call: undefined, saying: [] });
  });
  return seated.length;
}

async function thinly({ creatorId, listeners }: Seated): Promise<number> {
  const sent = performance.now();
  const came = next(listeners.thin, 'RECEIVE_MESSAGE').then(() => performance.now() - sent);
  const body = { conversationId: randomUUID(), to: creatorId, clientId: randomUUID(), text: 'ring' };
  await post(thinPort, '/message', { fan: randomUUID() }, body);
  return came;
}

async function time({ time: count }: Time): Promise<Timed> {
  const timed: Timed = { ringMs: [], beginMs: [], thinMs: [] };
  for (let n = 0; n < count; n += 1) {
    const pair = seated[n % seated.length];
    if (!pair) throw new Error('nobody is there');
    timed.thinMs.push(await thinly(pair));
    const { ringMs, beginMs } = await begin(pair);
    timed.ringMs.push(ringMs);
    timed.beginMs.push(beginMs);
    const over = next(pair.listeners.creator, 'END_CALL');
    await hangUp(pair);
    await over;
  }
  return timed;
}

async function talk({ talk: count }: Talk): Promise<number> {
  await each(seated.slice(0, count), async (pair) => {
    const starts = next(pair.listeners.fan, 'CALL_STARTED');
    await begin(pair);
    goOn(pair);
    await starts;
  });
  return count;
}

function drop({ drop: count }: Drop): number {
  for (const pair of seated.slice(0, count))
    for (const side of SIDES) say(pair, side, randomUUID(), () => 'x'.repeat(220));
  return count;
}

async function end(): Promise<number> {
  await each(seated, hangUp);
  return seated.length;
}

if (process.argv[1] === import.meta.filename) {
  answerParent(0, async (question) => {
    const job = question as Seat | Time | Talk | Drop | End;
    if ('seat' in job) return seat(job);
    if ('time' in job) return time(job);
    if ('talk' in job) return talk(job);
    return 'drop' in job ? drop(job) : end();
  });
}

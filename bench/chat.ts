/**
 * Compares chat with a minimal implementation: latency from send to receive, fan-out to many sockets and to many
 * followers, and growth.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { broadcasts, type Hall as Shared } from './broadcasts.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, exactly, interleave, median, medianOf, ratioOf, type Sample, shown, spread } from './harness/rounds.ts';
import { type Lane, type Saying, startSockets } from './harness/sockets.ts';
import type { Stage } from './harness/stage.ts';
import { takingBack } from './taking-back.ts';
import { cookieLine, personId } from './worlds/people.ts';
import {
  anEvent,
  creatorCookie,
  makeTalks,
  PAIRS,
  paidId,
  pictureId,
  type Talks,
  TEXT,
  talkId,
} from './worlds/talks.ts';

const CLIENTS = 4;
const SAID_A_SECOND = 20;
const CROWDS = [500, 2_000] as const;
const DELIVERIES_A_SECOND = 20_000;
const IDLE_MS = 1_500;

type Hall = Shared & { thin: Child };
type Measure = (seconds: number) => Promise<Sample>;

const MESSAGE = { event: 'RECEIVE_MESSAGE', field: 'clientId' };
const PURCHASE = { event: 'PURCHASE_MESSAGE_MEDIA', field: 'messageId' };

/** Opens the sockets. Listeners 2n and 2n+1 are the fan and the creator of pair n. */
async function seat({ sockets, ours, thin }: Hall): Promise<void> {
  const pairs = Array.from({ length: PAIRS }, (_, n) => n);
  const cookies = pairs.flatMap((n) => [cookieLine(n), creatorCookie(n)]);
  const names = pairs.flatMap((n) => [`fan: ${personId('fan', n)}`, `fan: ${personId('creator', n)}`]);
  await sockets.open({ open: 'ours', port: ours.port, isSocketIo: true, headers: cookies });
  await sockets.open({ open: 'thin', port: thin.port, isSocketIo: false, headers: names });
}

type Times = readonly { p50Ms: number; p99Ms: number }[];

function latencyFigures(name: string, ours: Times, limit: Times): Figure[] {
  const one = (share: 'p50' | 'p99', atMost: number): Figure => {
    const pick = (times: Times) => times.map(({ p50Ms, p99Ms }) => (share === 'p50' ? p50Ms : p99Ms));
    const [mine, other] = [pick(ours), pick(limit)];
    const text = (values: number[]) => `${median(values).toFixed(2)} ms`;
    const ratio = spread(mine.map((value, round) => value / (other[round] ?? Number.NaN)));
    return { name: `${name}, ${share}`, ours: text(mine), limit: text(other), ratio, aim: { atMost } };
  };
  return [one('p50', 1.5), one('p99', 2)];
}

type Kind = 'thin' | 'function' | 'transaction' | 'text' | 'priced' | 'bought';

function sayingsOf(talks: Talks): Record<Kind, (n: number) => Saying> {
  const text = (n: number) => {
    const pair = n % PAIRS;
    const clientId: string = randomUUID();
    const body = { conversationId: talkId(pair), clientId, text: `${TEXT} ${n}` };
    return { pair, clientId, body, from: pair, header: creatorCookie(pair), key: clientId, to: 2 * pair };
  };
  const saying = ({ from, header, key, to }: ReturnType<typeof text>, path: string, body: object): Saying => ({
    from,
    header,
    path,
    body: JSON.stringify(body),
    key,
    to,
  });
  const thin = (path: string) => (n: number) => {
    const { pair, body, ...rest } = text(n);
    const header = `fan: ${personId('creator', pair)}`;
    return saying({ ...rest, pair, body, header }, path, { ...body, to: personId('fan', pair) });
  };
  return {
    thin: thin('/message'),
    function: thin('/function'),
    transaction: thin('/transaction'),
    text: (n) => {
      const one = text(n);
      return saying(one, '/api/message/text', one.body);
    },
    priced: (n) => {
      const one = text(n);
      return saying({ ...one, from: PAIRS + one.pair }, '/api/message/media', {
        ...one.body,
        price: 5,
        mediaIds: [pictureId(one.pair)],
      });
    },
    bought: (n) => {
      const one = text(n);
      const key = paidId(one.pair, Math.floor(n / PAIRS) % talks.paid);
      const from = { ...one, from: 2 * PAIRS + one.pair, header: cookieLine(one.pair), key, to: 2 * one.pair + 1 };
      return saying(from, `/api/message/purchase-chat-media/${key}`, { price: 5 });
    },
  };
}

const THIN: readonly Kind[] = ['thin', 'function', 'transaction'];

async function latency(hall: Hall): Promise<Figure[]> {
  const { stage, ours, thin, talks, sockets } = hall;
  await seat(hall);
  const make = sayingsOf(talks);
  let said = 0;
  const round = async (seconds: number) => {
    const count = Math.round(seconds * SAID_A_SECOND);
    const lane = (kind: Kind, heard: Pick<Lane, 'event' | 'field'> = MESSAGE): Lane => ({
      group: THIN.includes(kind) ? 'thin' : 'ours',
      port: (THIN.includes(kind) ? thin : ours).port,
      sayings: Array.from({ length: count }, (_, n) => make[kind](said + n)),
      ...heard,
    });
    const lanes = [
      lane('thin'),
      lane('text'),
      lane('priced'),
      lane('bought', PURCHASE),
      lane('function'),
      lane('transaction'),
    ];
    said += count;
    return sockets.talk({ lanes, perSecond: SAID_A_SECOND });
  };
  await round(Math.min(stage.options.seconds, 2));
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let n = 0; n < stage.options.rounds; n += 1) {
    const found = await round(stage.options.seconds * 4);
    rounds.push(found);
    const texts = found.map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)} ms`);
    stage.tell(
      `round ${n + 1} p50, p99: thin ${texts[0]}; text ${texts[1]}; priced ${texts[2]}; bought ${texts[3]}; function ${texts[4]}; transaction ${texts[5]}`,
    );
  }
  const of = (at: number): Times => rounds.flatMap((one) => one[at] ?? []);
  const floor = (name: string, at: number) =>
    latencyFigures(name, of(at), of(0))
      .slice(0, 1)
      .map(({ aim: _, ...rest }) => rest);
  return [
    ...latencyFigures('a text, from sending to receiving ÷ POST, INSERT, emit', of(1), of(0)),
    ...latencyFigures('a paid picture, likewise', of(2), of(0)),
    ...latencyFigures('a purchase, until its creator is told', of(3), of(0)),
    ...floor('floor of a text: the bare route around the product’s own function', 4),
    ...floor('floor of a purchase: the bare route in a transaction of five statements', 5),
  ];
}

/**
 * Measures one event that is emitted to all connected sockets. One operation is one delivery. The idle load of the
 * servers is measured first and subtracted.
 */
async function fanOut(hall: Hall): Promise<Figure[]> {
  const { stage, sockets, talks, ours, thin } = hall;
  const figures: Figure[] = [];
  const event = anEvent();
  const toAll = (server: Child, name: string, listeners: number): Measure => {
    return async (seconds) => {
      const emits = Math.max(1, Math.round((seconds * DELIVERIES_A_SECOND) / listeners));
      await sockets.await({ await: name, events: 0 });
      const start = await server.usage();
      const started = performance.now();
      await sleep(IDLE_MS);
      const before = await server.usage();
      const idle = (before.cpuMs - start.cpuMs) / (performance.now() - started);
      const perSecond = DELIVERIES_A_SECOND / listeners;
      const began = performance.now();
      await server.ask({ emits, perSecond, ...event });
      const lasted = performance.now() - began;
      const count = emits * listeners;
      const came = await sockets.await({ await: name, events: count });
      if (came !== count) throw new Error(`${came} of ${count} deliveries`);
      const cpuMs = ((await server.usage()).cpuMs - before.cpuMs - idle * lasted) / count;
      return { rate: count / seconds, cpuMs, nodeMs: cpuMs, p50Ms: 0, p99Ms: 0, count };
    };
  };
  let open = 2 * PAIRS;
  for (const listeners of CROWDS) {
    const fans = Array.from({ length: listeners - open }, (_, n) => talks.crowd(open + n));
    const [cookies, names] = [fans.map((n) => cookieLine(n)), fans.map((n) => `fan: ${personId('fan', n)}`)];
    await sockets.open({ open: 'ours', port: ours.port, isSocketIo: true, headers: cookies });
    await sockets.open({ open: 'thin', port: thin.port, isSocketIo: false, headers: names });
    open = listeners;
    const samples = await interleave(
      stage.options,
      { bare: toAll(thin, 'thin', listeners), ours: toAll(ours, 'ours', listeners) },
      stage.tell,
    );
    const text = (all: readonly Sample[]) => `${(medianOf(all, cpuOf) * 1000).toFixed(1)} µs`;
    figures.push({
      name: `CPU a delivery to ${listeners.toLocaleString('en')} sockets ÷ bare ws`,
      ours: text(samples.ours),
      limit: text(samples.bare),
      ratio: ratioOf(samples.ours, samples.bare, cpuOf),
      aim: { atMost: 1 },
    });
  }
  return figures;
}

async function memory({ stage, talks, sockets }: Hall): Promise<Figure> {
  const dataDir = join(stage.folder, 'chat-memory');
  await mkdir(dataDir, { recursive: true });
  const fans = Array.from({ length: CROWDS[1] }, (_, n) => talks.crowd(n));
  const each = async (server: Child, isSocketIo: boolean, header: (fan: number) => string): Promise<number> => {
    const open = `memory ${server.port}`;
    const before = (await server.usage()).rssMb;
    await sockets.open({ open, port: server.port, isSocketIo, headers: fans.map((fan) => header(fan)) });
    await sleep(IDLE_MS);
    const after = (await server.usage()).rssMb;
    await sockets.close({ close: open });
    await server.stop();
    return ((after - before) * 1024) / fans.length;
  };
  const ours = await each(await startChild('servers/product.ts', [talks.url, dataDir]), true, cookieLine);
  const thin = await startChild('servers/thin-chat.ts', [talks.url]);
  const bare = await each(thin, false, (fan) => `fan: ${personId('fan', fan)}`);
  return {
    name: 'memory a connection: signed in, with presence ÷ bare ws',
    ours: `${ours.toFixed(1)} kB`,
    limit: `${bare.toFixed(1)} kB`,
    ratio: exactly(ours / bare),
  };
}

async function growth(hall: Hall): Promise<Figure[]> {
  const { stage, talks, ours } = hall;
  const loader = await startLoader();
  const read = (path: string, header: string) => (seconds: number) =>
    measureHttp({ loader, postgres: stage.postgres }, ours, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      headers: [header],
      paths: [path],
    });
  const { cookies, threadId } = talks;
  const list = `/api/message/conversation-list?limit=${talks.calmConversations}`;
  const page = `/api/message/list/${threadId}?limit=20`;
  const samples = await interleave(
    stage.options,
    {
      listSmall: read(list, cookies.calm),
      list: read(list, cookies.busy),
      unreadSmall: read('/api/message/un-read-count', cookies.calm),
      unread: read('/api/message/un-read-count', cookies.busy),
      first: read(page, cookies.thread),
      deepest: read(`${page}&before=21`, cookies.thread),
    },
    stage.tell,
  );
  await loader.stop();
  const figure = (name: string, mine: readonly Sample[], other: readonly Sample[], atMost: number): Figure => ({
    name,
    ours: shown(mine),
    limit: shown(other),
    ratio: ratioOf(mine, other, cpuOf),
    aim: { atMost },
  });
  const many = `${talks.conversations.toLocaleString('en')} ÷ ${talks.calmConversations} conversations`;
  return [
    figure(`conversation list: ${many}`, samples.list, samples.listSmall, 1.2),
    figure(`unread count: ${many}`, samples.unread, samples.unreadSmall, 1.2),
    figure(
      `a thread of ${talks.messages.toLocaleString('en')}: deepest page ÷ first`,
      samples.deepest,
      samples.first,
      1.1,
    ),
  ];
}

export async function chat(stage: Stage): Promise<Result> {
  const talks = await makeTalks(stage);
  const dataDir = join(stage.folder, 'chat');
  await mkdir(dataDir, { recursive: true });
  const sockets = await startSockets();
  const ours = await startChild('servers/product.ts', [talks.url, dataDir]);
  const thin = await startChild('servers/thin-chat.ts', [talks.url]);
  const hall = { stage, talks, sockets, ours, thin };
  const figures = [
    ...(await latency(hall)),
    ...(await growth(hall)),
    // This runs before the many broadcasts, so that each follower reads one message and not twenty.
    ...(await takingBack({ stage, talks, sockets, port: ours.port })),
    ...(await broadcasts(hall)),
    ...(await fanOut(hall)),
    await memory(hall),
  ];
  for (const child of [ours, thin, sockets]) await child.stop();
  return {
    bench: 'chat',
    reading: `Time at ${SAID_A_SECOND} of each kind a second, said in turns, or CPU (node and PostgreSQL) of an operation. Less is better; 1 is the thin server itself, or no growth.`,
    figures,
    notes: [],
  };
}

/**
 * Compares chat with a minimal implementation: latency from send to receive, fan-out to many sockets and to many
 * followers, and growth.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureBroadcastUnsend } from './broadcast-unsend.ts';
import { measureBroadcasts, type BroadcastSetup as SharedSetup } from './broadcasts.ts';
import {
  type ChatWorld,
  createChatWorld,
  createMessageEvent,
  PAIRS,
  TEXT,
  toConversationId,
  toCreatorCookie,
  toPaidMessageId,
  toPictureId,
} from './fixtures/conversations.ts';
import { formatSessionCookie, toBenchUserId } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import {
  calculateMedianBy,
  calculateRatio,
  formatSamples,
  getCpuMs,
  interleave,
  type LoadSample,
  median,
  summarizeRatios,
  toRatio,
} from './harness/rounds.ts';
import { type MessageStream, type OutgoingMessage, startSockets } from './harness/sockets.ts';

const CLIENTS = 4;
const MESSAGES_PER_SECOND = 20;
const LISTENER_COUNTS = [500, 2_000] as const;
const DELIVERIES_A_SECOND = 20_000;
const IDLE_MS = 1_500;

type ChatSetup = SharedSetup & { thin: Child };
type MeasureVariant = (seconds: number) => Promise<LoadSample>;

const MESSAGE = { event: 'RECEIVE_MESSAGE', field: 'clientId' };
const PURCHASE = { event: 'PURCHASE_MESSAGE_MEDIA', field: 'messageId' };

/** Opens the sockets. Listeners 2n and 2n+1 are the fan and the creator of pair n. */
async function openSockets({ sockets, ours, thin }: ChatSetup): Promise<void> {
  const pairs = Array.from({ length: PAIRS }, (_, n) => n);
  const cookies = pairs.flatMap((n) => [formatSessionCookie(n), toCreatorCookie(n)]);
  const names = pairs.flatMap((n) => [`fan: ${toBenchUserId('fan', n)}`, `fan: ${toBenchUserId('creator', n)}`]);
  await sockets.open({ open: 'ours', port: ours.port, isSocketIo: true, headers: cookies });
  await sockets.open({ open: 'thin', port: thin.port, isSocketIo: false, headers: names });
}

type LatencyTimes = readonly { p50Ms: number; p99Ms: number }[];

function toLatencyFigures(name: string, ours: LatencyTimes, limit: LatencyTimes): Figure[] {
  const one = (share: 'p50' | 'p99', atMost: number): Figure => {
    const pick = (times: LatencyTimes) => times.map(({ p50Ms, p99Ms }) => (share === 'p50' ? p50Ms : p99Ms));
    const [own, other] = [pick(ours), pick(limit)];
    const text = (values: number[]) => `${median(values).toFixed(2)} ms`;
    const ratio = summarizeRatios(own.map((value, round) => value / (other[round] ?? Number.NaN)));
    return { name: `${name}, ${share}`, ours: text(own), limit: text(other), ratio, aim: { atMost } };
  };
  return [one('p50', 1.5), one('p99', 2)];
}

type Kind = 'thin' | 'function' | 'transaction' | 'text' | 'priced' | 'bought';

function createMessages(world: ChatWorld): Record<Kind, (n: number) => OutgoingMessage> {
  const text = (n: number) => {
    const pair = n % PAIRS;
    const clientId: string = randomUUID();
    const body = { conversationId: toConversationId(pair), clientId, text: `${TEXT} ${n}` };
    return { pair, clientId, body, from: pair, header: toCreatorCookie(pair), key: clientId, to: 2 * pair };
  };
  const toMessage = (
    { from, header, key, to }: ReturnType<typeof text>,
    path: string,
    body: object,
  ): OutgoingMessage => ({
    from,
    header,
    path,
    body: JSON.stringify(body),
    key,
    to,
  });
  const thin = (path: string) => (n: number) => {
    const { pair, body, ...rest } = text(n);
    const header = `fan: ${toBenchUserId('creator', pair)}`;
    return toMessage({ ...rest, pair, body, header }, path, { ...body, to: toBenchUserId('fan', pair) });
  };
  return {
    thin: thin('/message'),
    function: thin('/function'),
    transaction: thin('/transaction'),
    text: (n) => {
      const one = text(n);
      return toMessage(one, '/api/message/text', one.body);
    },
    priced: (n) => {
      const one = text(n);
      return toMessage({ ...one, from: PAIRS + one.pair }, '/api/message/media', {
        ...one.body,
        price: 5,
        mediaIds: [toPictureId(one.pair)],
      });
    },
    bought: (n) => {
      const one = text(n);
      const key = toPaidMessageId(one.pair, Math.floor(n / PAIRS) % world.paidCount);
      const from = {
        ...one,
        from: 2 * PAIRS + one.pair,
        header: formatSessionCookie(one.pair),
        key,
        to: 2 * one.pair + 1,
      };
      return toMessage(from, `/api/message/purchase-chat-media/${key}`, { price: 5 });
    },
  };
}

const THIN: readonly Kind[] = ['thin', 'function', 'transaction'];

async function measureLatency(setup: ChatSetup): Promise<Figure[]> {
  const { context, ours, thin, world, sockets } = setup;
  await openSockets(setup);
  const make = createMessages(world);
  let sentCount = 0;
  const round = async (seconds: number) => {
    const count = Math.round(seconds * MESSAGES_PER_SECOND);
    const createStream = (
      kind: Kind,
      eventOptions: Pick<MessageStream, 'event' | 'field'> = MESSAGE,
    ): MessageStream => ({
      group: THIN.includes(kind) ? 'thin' : 'ours',
      port: (THIN.includes(kind) ? thin : ours).port,
      messages: Array.from({ length: count }, (_, n) => make[kind](sentCount + n)),
      ...eventOptions,
    });
    const streams = [
      createStream('thin'),
      createStream('text'),
      createStream('priced'),
      createStream('bought', PURCHASE),
      createStream('function'),
      createStream('transaction'),
    ];
    sentCount += count;
    return sockets.sendStreams({ streams, perSecond: MESSAGES_PER_SECOND });
  };
  await round(Math.min(context.options.seconds, 2));
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let n = 0; n < context.options.rounds; n += 1) {
    const figures = await round(context.options.seconds * 4);
    rounds.push(figures);
    const texts = figures.map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)} ms`);
    context.logProgress(
      `round ${n + 1} p50, p99: thin ${texts[0]}; text ${texts[1]}; priced ${texts[2]}; bought ${texts[3]}; function ${texts[4]}; transaction ${texts[5]}`,
    );
  }
  const getTimes = (at: number): LatencyTimes => rounds.flatMap((one) => one[at] ?? []);
  const toLowerBound = (name: string, at: number) =>
    toLatencyFigures(name, getTimes(at), getTimes(0))
      .slice(0, 1)
      .map(({ aim: _, ...rest }) => rest);
  return [
    ...toLatencyFigures('a text, from sending to receiving ÷ POST, INSERT, emit', getTimes(1), getTimes(0)),
    ...toLatencyFigures('a paid picture, likewise', getTimes(2), getTimes(0)),
    ...toLatencyFigures('a purchase, until its creator is notified', getTimes(3), getTimes(0)),
    ...toLowerBound('floor of a text: the bare route around the product’s own function', 4),
    ...toLowerBound('floor of a purchase: the bare route in a transaction of five statements', 5),
  ];
}

/**
 * Measures one event that is emitted to all connected sockets. One operation is one delivery. The idle load of the
 * servers is measured first and subtracted.
 */
async function measureFanOut(setup: ChatSetup): Promise<Figure[]> {
  const { context, sockets, world, ours, thin } = setup;
  const figures: Figure[] = [];
  const event = createMessageEvent();
  const createVariant = (server: Child, name: string, listeners: number): MeasureVariant => {
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
      await server.request({ emits, perSecond, ...event });
      const elapsedMs = performance.now() - began;
      const count = emits * listeners;
      const delivered = await sockets.await({ await: name, events: count });
      if (delivered !== count) throw new Error(`${delivered} of ${count} deliveries`);
      const cpuMs = ((await server.usage()).cpuMs - before.cpuMs - idle * elapsedMs) / count;
      return { rate: count / seconds, cpuMs, nodeMs: cpuMs, p50Ms: 0, p99Ms: 0, count };
    };
  };
  let openCount = 2 * PAIRS;
  for (const listeners of LISTENER_COUNTS) {
    const fans = Array.from({ length: listeners - openCount }, (_, n) => world.toFanNumber(openCount + n));
    const [cookies, names] = [
      fans.map((n) => formatSessionCookie(n)),
      fans.map((n) => `fan: ${toBenchUserId('fan', n)}`),
    ];
    await sockets.open({ open: 'ours', port: ours.port, isSocketIo: true, headers: cookies });
    await sockets.open({ open: 'thin', port: thin.port, isSocketIo: false, headers: names });
    openCount = listeners;
    const samples = await interleave(
      context.options,
      { bare: createVariant(thin, 'thin', listeners), ours: createVariant(ours, 'ours', listeners) },
      context.logProgress,
    );
    const text = (all: readonly LoadSample[]) => `${(calculateMedianBy(all, getCpuMs) * 1000).toFixed(1)} µs`;
    figures.push({
      name: `CPU a delivery to ${listeners.toLocaleString('en')} sockets ÷ bare ws`,
      ours: text(samples.ours),
      limit: text(samples.bare),
      ratio: calculateRatio(samples.ours, samples.bare, getCpuMs),
      aim: { atMost: 1 },
    });
  }
  return figures;
}

async function measureMemory({ context, world, sockets }: ChatSetup): Promise<Figure> {
  const dataDir = join(context.folder, 'chat-memory');
  await mkdir(dataDir, { recursive: true });
  const fans = Array.from({ length: LISTENER_COUNTS[1] }, (_, n) => world.toFanNumber(n));
  const measureEach = async (server: Child, isSocketIo: boolean, header: (fan: number) => string): Promise<number> => {
    const open = `memory ${server.port}`;
    const before = (await server.usage()).rssMb;
    await sockets.open({ open, port: server.port, isSocketIo, headers: fans.map((fan) => header(fan)) });
    await sleep(IDLE_MS);
    const after = (await server.usage()).rssMb;
    await sockets.close({ close: open });
    await server.stop();
    return ((after - before) * 1024) / fans.length;
  };
  const ours = await measureEach(
    await startChild('servers/product.ts', [world.url, dataDir]),
    true,
    formatSessionCookie,
  );
  const thin = await startChild('servers/thin-chat.ts', [world.url]);
  const bare = await measureEach(thin, false, (fan) => `fan: ${toBenchUserId('fan', fan)}`);
  return {
    name: 'memory a connection: signed in, with presence ÷ bare ws',
    ours: `${ours.toFixed(1)} kB`,
    limit: `${bare.toFixed(1)} kB`,
    ratio: toRatio(ours / bare),
  };
}

async function measureGrowth(setup: ChatSetup): Promise<Figure[]> {
  const { context, world, ours } = setup;
  const loader = await startLoader();
  const read = (path: string, header: string) => (seconds: number) =>
    measureHttp({ loader, postgres: context.postgres }, ours, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      headers: [header],
      paths: [path],
    });
  const { cookies, threadId } = world;
  const list = `/api/message/conversation-list?limit=${world.calmConversations}`;
  const page = `/api/message/list/${threadId}?limit=20`;
  const samples = await interleave(
    context.options,
    {
      listSmall: read(list, cookies.calm),
      list: read(list, cookies.busy),
      unreadSmall: read('/api/message/un-read-count', cookies.calm),
      unread: read('/api/message/un-read-count', cookies.busy),
      first: read(page, cookies.thread),
      deepest: read(`${page}&before=21`, cookies.thread),
    },
    context.logProgress,
  );
  await loader.stop();
  const figure = (name: string, own: readonly LoadSample[], other: readonly LoadSample[], atMost: number): Figure => ({
    name,
    ours: formatSamples(own),
    limit: formatSamples(other),
    ratio: calculateRatio(own, other, getCpuMs),
    aim: { atMost },
  });
  const growthLabel = `${world.conversations.toLocaleString('en')} ÷ ${world.calmConversations} conversations`;
  return [
    figure(`conversation list: ${growthLabel}`, samples.list, samples.listSmall, 1.2),
    figure(`unread count: ${growthLabel}`, samples.unread, samples.unreadSmall, 1.2),
    figure(
      `a thread of ${world.messages.toLocaleString('en')}: deepest page ÷ first`,
      samples.deepest,
      samples.first,
      1.1,
    ),
  ];
}

export async function measureChat(context: BenchContext): Promise<BenchResult> {
  const world = await createChatWorld(context);
  const dataDir = join(context.folder, 'chat');
  await mkdir(dataDir, { recursive: true });
  const sockets = await startSockets();
  const ours = await startChild('servers/product.ts', [world.url, dataDir]);
  const thin = await startChild('servers/thin-chat.ts', [world.url]);
  const setup = { context, world, sockets, ours, thin };
  const figures = await measureLatency(setup);
  if (!context.options.isGuard)
    figures.push(
      ...(await measureGrowth(setup)),
      // This runs before the many broadcasts, so that each follower reads one message and not twenty.
      ...(await measureBroadcastUnsend({ context, world, sockets, port: ours.port })),
      ...(await measureBroadcasts(setup)),
      ...(await measureFanOut(setup)),
      await measureMemory(setup),
    );
  for (const child of [ours, thin, sockets]) await child.stop();
  return {
    bench: 'chat',
    reading: `Latency at ${MESSAGES_PER_SECOND} messages of each kind per second, sent alternately, or CPU (Node and PostgreSQL) per operation. Less is better; 1 is the thin server, or no growth.`,
    figures,
    notes: [],
  };
}

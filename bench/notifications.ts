/**
 * Measures notifications: the time from an event to an open tab, a notification of 100,000 followers and its effect on
 * other requests, and pushes per second.
 */
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import webPush from 'web-push';
import { createVapidSigner } from '../server/modules/notifications/push/keys.ts';
import { sendWebPush } from '../server/modules/notifications/push/web-push.ts';
import { systemClock } from '../server/platform/clock.ts';
import {
  type ChatWorld,
  createChatWorld,
  PAIRS,
  TEXT,
  toConversationId,
  toCreatorCookie,
} from './fixtures/conversations.ts';
import { formatSessionCookie, toBenchUserId } from './fixtures/users.ts';
import { type Child, startChild } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { withDatabase } from './harness/database.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { median, summarizeRatios } from './harness/rounds.ts';
import { type OutgoingMessage, startSockets } from './harness/sockets.ts';
import { createBenchConfig } from './servers/config.ts';

const ARRIVALS = 20;
const ARRIVAL_EVENT = 'NOTIFICATIONS_CHANGED';
const BUDGET_MS = 250;
const MESSAGES_PER_SECOND = 20;
const WIDE = 23;
const PUSHES = 2_000;
const PUSH_CONCURRENCY = 100;

type Sockets = Awaited<ReturnType<typeof startSockets>>;
type NotificationSetup = { context: BenchContext; world: ChatWorld; sockets: Sockets; ours: Child };

const queryRows = (url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  withDatabase(url, async (db) => (await db.pool.query(text, values)).rows);

async function measureArrival({ context, sockets, ours }: NotificationSetup): Promise<Figure> {
  await sockets.open({ open: 'alerts', port: ours.port, isSocketIo: true, headers: [toCreatorCookie(0)] });
  const sendTip = async (): Promise<number> => {
    const message: OutgoingMessage = {
      ...{
        from: 0,
        header: formatSessionCookie(0),
        path: `/api/tip/customer-send/${toBenchUserId('creator', 0)}`,
        to: 0,
      },
      ...{ body: JSON.stringify({ amount: 1, type: 'profile' }), key: ARRIVAL_EVENT },
    };
    return (await sockets.send({ send: 'alerts', port: ours.port, message, events: 1 })).lastMs;
  };
  await sendTip();
  const times: number[] = [];
  for (let n = 0; n < ARRIVALS * context.options.rounds; n += 1) times.push(await sendTip());
  await sockets.close({ close: 'alerts' });
  return {
    name: 'a tip, from sending until its creator’s tab hears of the alert',
    ours: `${median(times).toFixed(1)} ms`,
    limit: `${BUDGET_MS} ms`,
    ratio: {
      value: median(times) / BUDGET_MS,
      low: Math.min(...times) / BUDGET_MS,
      high: Math.max(...times) / BUDGET_MS,
    },
    aim: { atMost: 1 },
  };
}

async function notifyAll({ world, ours }: NotificationSetup, lastFan: unknown): Promise<number> {
  const { url } = world;
  await queryRows(url, 'delete from creator_online_notifications');
  const started = performance.now();
  const payload = JSON.stringify({ creatorId: toBenchUserId('creator', WIDE) });
  const insert = "insert into outbox (type, payload) values ('creator.online', $1) returning event_id as id";
  const [event] = await queryRows(url, insert, [payload]);
  await ours.request({ settle: true });
  const isThere = 'select 1 from notifications where user_id = $1 and id = $2';
  while ((await queryRows(url, isThere, [lastFan, event?.id])).length === 0) await sleep(20);
  return performance.now() - started;
}

async function insertBare({ url, followers }: ChatWorld): Promise<number> {
  await queryRows(url, 'drop table if exists bench.notified');
  await queryRows(url, 'create table bench.notified (like notifications including all)');
  const started = performance.now();
  await queryRows(
    url,
    `insert into bench.notified (user_id, id, kind, by_id, is_listed) select gen_random_uuid(), $1, 'creatorOnline', $2, true
       from generate_series(1, ${followers})`,
    [randomUUID(), toBenchUserId('creator', WIDE)],
  );
  return performance.now() - started;
}

async function sendTexts({ context, sockets, ours }: NotificationSetup): Promise<number> {
  const count = Math.max(20, Math.round(context.options.seconds * MESSAGES_PER_SECOND));
  const messages = Array.from({ length: count }, (_, n): OutgoingMessage => {
    const pair = n % PAIRS;
    const clientId = randomUUID();
    const body = JSON.stringify({ conversationId: toConversationId(pair), clientId, text: TEXT });
    return {
      from: PAIRS + pair,
      header: toCreatorCookie(pair),
      path: '/api/message/text',
      body,
      key: clientId,
      to: pair,
    };
  });
  const stream = { group: 'fans', port: ours.port, messages, event: 'RECEIVE_MESSAGE', field: 'clientId' };
  const [times] = await sockets.sendStreams({ streams: [stream], perSecond: MESSAGES_PER_SECOND });
  return times?.p50Ms ?? Number.NaN;
}

async function measureFollowers(setup: NotificationSetup): Promise<Figure[]> {
  const { context, world, sockets, ours } = setup;
  const headers = Array.from({ length: PAIRS }, (_, n) => formatSessionCookie(n));
  await sockets.open({ open: 'fans', port: ours.port, isSocketIo: true, headers });
  const lastFanSql = 'select max(fan_id::text) as id from follows where creator_id = $1';
  const lastFan = (await queryRows(world.url, lastFanSql, [toBenchUserId('creator', WIDE)]))[0]?.id;
  await sendTexts(setup);
  await notifyAll(setup, lastFan);
  const rounds: { notifiedMs: number; insertMs: number; quietMs: number; busyMs: number }[] = [];
  for (let round = 0; round < context.options.rounds; round += 1) {
    const quietMs = await sendTexts(setup);
    let isRunning = true;
    const notifying = (async () => {
      const times: number[] = [];
      while (isRunning || times.length === 0) times.push(await notifyAll(setup, lastFan));
      return times;
    })();
    const busyMs = await sendTexts(setup);
    isRunning = false;
    const notifiedMs = median(await notifying);
    const roundTimes = { notifiedMs, insertMs: await insertBare(world), quietMs, busyMs };
    rounds.push(roundTimes);
    context.logProgress(
      `notified in ${notifiedMs.toFixed(0)} ms, inserted in ${roundTimes.insertMs.toFixed(0)}; a text ${quietMs.toFixed(2)} ms, meanwhile ${busyMs.toFixed(2)}`,
    );
  }
  await sockets.close({ close: 'fans' });
  const ms = (values: number[], digits: number) => `${median(values).toFixed(digits)} ms`;
  const count = world.followers.toLocaleString('en');
  return [
    {
      name: `until ${count} followers are notified ÷ a bare insert of as many rows`,
      ours: ms(
        rounds.map(({ notifiedMs }) => notifiedMs),
        0,
      ),
      limit: ms(
        rounds.map(({ insertMs }) => insertMs),
        0,
      ),
      ratio: summarizeRatios(rounds.map(({ notifiedMs, insertMs }) => notifiedMs / insertMs)),
    },
    {
      name: `a text while ${count} followers are notified ÷ quiet, p50`,
      ours: ms(
        rounds.map(({ busyMs }) => busyMs),
        2,
      ),
      limit: ms(
        rounds.map(({ quietMs }) => quietMs),
        2,
      ),
      ratio: summarizeRatios(rounds.map(({ busyMs, quietMs }) => busyMs / quietMs)),
      aim: { atMost: 1.2 },
    },
  ];
}

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

async function measureRate(send: (n: number) => Promise<void>): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: PUSH_CONCURRENCY }, async () => {
      while (next < PUSHES) {
        next += 1;
        await send(next);
      }
    }),
  );
  return PUSHES / ((performance.now() - started) / 1000);
}

async function measurePushes({ context, world }: Pick<NotificationSetup, 'context' | 'world'>): Promise<Figure> {
  const sink = await startChild('servers/push-sink.ts');
  const config = createBenchConfig(world.url, context.folder);
  const vapid = createVapidSigner({ config, clock: systemClock });
  const keys = webPush.generateVAPIDKeys();
  const devices = Array.from({ length: 50 }, (_, n): Subscription => {
    const p256dh = createECDH('prime256v1').generateKeys('base64url');
    const auth = randomBytes(16).toString('base64url');
    return { endpoint: `http://127.0.0.1:${sink.port}/${n}`, keys: { p256dh, auth } };
  });
  const payload = JSON.stringify({ web_push: 8030, notification: { title: 'Stagedoor', body: TEXT, navigate: '/' } });
  const getDevice = (n: number): Subscription => {
    const device = devices[n % devices.length];
    if (!device) throw new Error('there is no device');
    return device;
  };
  const ours = async (n: number) => {
    const { endpoint, keys: own } = getDevice(n);
    const { origin } = new URL(endpoint);
    const pushOptions = {
      kind: 'newPost',
      tag: 'newPost',
      authorization: await vapid(origin),
      now: systemClock.now(),
      timeoutMs: 5_000,
      payload,
    };
    const response = await sendWebPush({ endpoint, ...own }, pushOptions);
    if (response.outcome !== 'sent') throw new Error(`a push was ${response.outcome}`);
  };
  const bare = async (n: number) => {
    const details = webPush.generateRequestDetails(getDevice(n), payload, {
      TTL: 60,
      vapidDetails: { subject: 'mailto:bench@stagedoor.example', ...keys },
    });
    await new Promise<void>((resolve, reject) => {
      const { method, headers, endpoint, body } = details;
      const request = http.request(endpoint, { method, headers }, (response) => {
        response.resume();
        response.once('end', resolve);
      });
      request.once('error', reject);
      request.end(body);
    });
  };
  await measureRate(ours);
  await measureRate(bare);
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < context.options.rounds; round += 1)
    rounds.push(
      round % 2 === 0
        ? { ours: await measureRate(ours), bare: await measureRate(bare) }
        : { bare: await measureRate(bare), ours: await measureRate(ours) },
    );
  await sink.stop();
  const formatMedian = (pick: 'ours' | 'bare') => `${Math.round(median(rounds.map((one) => one[pick])))}/s`;
  return {
    name: 'pushes encrypted and sent ÷ web-push',
    ours: formatMedian('ours'),
    limit: formatMedian('bare'),
    ratio: summarizeRatios(rounds.map((one) => one.ours / one.bare)),
    aim: { atLeast: 0.95 },
  };
}

export async function measureNotifications(context: BenchContext): Promise<BenchResult> {
  const world = await createChatWorld(context);
  const dataDir = join(context.folder, 'notifications');
  await mkdir(dataDir, { recursive: true });
  const sockets = await startSockets();
  const ours = await startChild('servers/product.ts', [world.url, dataDir]);
  const setup = { context, world, sockets, ours };
  const figures = [await measureArrival(setup), ...(await measureFollowers(setup)), await measurePushes(setup)];
  for (const child of [ours, sockets]) await child.stop();
  return {
    bench: 'notifications',
    reading:
      'Times: less is better; 1 is the budget, the same without load, or one statement. Pushes per second: more is better.',
    figures,
    notes: [
      'Followers are notified in chunks with pauses, so that other requests are not slowed down. How soon they are notified has no target.',
    ],
  };
}

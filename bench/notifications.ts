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
import { createVapid } from '../server/features/notifications/push/keys.ts';
import { post } from '../server/features/notifications/push/wire.ts';
import { systemClock } from '../server/kernel/clock.ts';
import { type Child, startChild } from './harness/child.ts';
import { withDatabase } from './harness/database.ts';
import type { Figure, Result } from './harness/report.ts';
import { median, spread } from './harness/rounds.ts';
import { type Saying, startSockets } from './harness/sockets.ts';
import type { Stage } from './harness/stage.ts';
import { benchConfig } from './servers/config.ts';
import { cookieLine, personId } from './worlds/people.ts';
import { creatorCookie, makeTalks, PAIRS, type Talks, TEXT, talkId } from './worlds/talks.ts';

const ARRIVALS = 20;
const ARRIVES = 'NOTIFICATIONS_CHANGED';
const AT_ONCE_MS = 250;
const SAID_A_SECOND = 20;
const WIDE = 23;
const PUSHES = 2_000;
const PUSHED_AT_ONCE = 100;

type Sockets = Awaited<ReturnType<typeof startSockets>>;
type Hall = { stage: Stage; talks: Talks; sockets: Sockets; ours: Child };

const rows = (url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  withDatabase(url, async (db) => (await db.pool.query(text, values)).rows);

async function arrival({ stage, sockets, ours }: Hall): Promise<Figure> {
  await sockets.open({ open: 'alerts', port: ours.port, isSocketIo: true, headers: [creatorCookie(0)] });
  const told = async (): Promise<number> => {
    const saying: Saying = {
      ...{ from: 0, header: cookieLine(0), path: `/api/tip/customer-send/${personId('creator', 0)}`, to: 0 },
      ...{ body: JSON.stringify({ amount: 1, type: 'profile' }), key: ARRIVES },
    };
    return (await sockets.call({ call: 'alerts', port: ours.port, saying, events: 1 })).lastMs;
  };
  await told();
  const times: number[] = [];
  for (let n = 0; n < ARRIVALS * stage.options.rounds; n += 1) times.push(await told());
  await sockets.close({ close: 'alerts' });
  return {
    name: 'a tip, from sending until its creator’s tab hears of the alert',
    ours: `${median(times).toFixed(1)} ms`,
    limit: `${AT_ONCE_MS} ms`,
    ratio: {
      value: median(times) / AT_ONCE_MS,
      low: Math.min(...times) / AT_ONCE_MS,
      high: Math.max(...times) / AT_ONCE_MS,
    },
    aim: { atMost: 1 },
  };
}

async function tellAll({ talks, ours }: Hall, lastFan: unknown): Promise<number> {
  const { url } = talks;
  await rows(url, 'delete from creators_online_told');
  const started = performance.now();
  const payload = JSON.stringify({ creatorId: personId('creator', WIDE) });
  const insert = "insert into outbox (type, payload) values ('creator.online', $1) returning event_id as id";
  const [event] = await rows(url, insert, [payload]);
  await ours.ask({ settle: true });
  const isThere = 'select 1 from notifications where user_id = $1 and id = $2';
  while ((await rows(url, isThere, [lastFan, event?.id])).length === 0) await sleep(20);
  return performance.now() - started;
}

async function insertBare({ url, followers }: Talks): Promise<number> {
  await rows(url, 'drop table if exists bench.told');
  await rows(url, 'create table bench.told (like notifications including all)');
  const started = performance.now();
  await rows(
    url,
    `insert into bench.told (user_id, id, kind, by_id, is_listed) select gen_random_uuid(), $1, 'creatorOnline', $2, true
       from generate_series(1, ${followers})`,
    [randomUUID(), personId('creator', WIDE)],
  );
  return performance.now() - started;
}

async function sayTexts({ stage, sockets, ours }: Hall): Promise<number> {
  const count = Math.max(20, Math.round(stage.options.seconds * SAID_A_SECOND));
  const sayings = Array.from({ length: count }, (_, n): Saying => {
    const pair = n % PAIRS;
    const clientId = randomUUID();
    const body = JSON.stringify({ conversationId: talkId(pair), clientId, text: TEXT });
    return {
      from: PAIRS + pair,
      header: creatorCookie(pair),
      path: '/api/message/text',
      body,
      key: clientId,
      to: pair,
    };
  });
  const lane = { group: 'fans', port: ours.port, sayings, event: 'RECEIVE_MESSAGE', field: 'clientId' };
  const [talked] = await sockets.talk({ lanes: [lane], perSecond: SAID_A_SECOND });
  return talked?.p50Ms ?? Number.NaN;
}

async function followers(hall: Hall): Promise<Figure[]> {
  const { stage, talks, sockets, ours } = hall;
  const headers = Array.from({ length: PAIRS }, (_, n) => cookieLine(n));
  await sockets.open({ open: 'fans', port: ours.port, isSocketIo: true, headers });
  const last = 'select max(fan_id::text) as id from follows where creator_id = $1';
  const lastFan = (await rows(talks.url, last, [personId('creator', WIDE)]))[0]?.id;
  await sayTexts(hall);
  await tellAll(hall, lastFan);
  const rounds: { toldMs: number; insertMs: number; quietMs: number; busyMs: number }[] = [];
  for (let round = 0; round < stage.options.rounds; round += 1) {
    const quietMs = await sayTexts(hall);
    let isTalking = true;
    const telling = (async () => {
      const times: number[] = [];
      while (isTalking || times.length === 0) times.push(await tellAll(hall, lastFan));
      return times;
    })();
    const busyMs = await sayTexts(hall);
    isTalking = false;
    const toldMs = median(await telling);
    const one = { toldMs, insertMs: await insertBare(talks), quietMs, busyMs };
    rounds.push(one);
    stage.tell(
      `told in ${toldMs.toFixed(0)} ms, inserted in ${one.insertMs.toFixed(0)}; a text ${quietMs.toFixed(2)} ms, meanwhile ${busyMs.toFixed(2)}`,
    );
  }
  await sockets.close({ close: 'fans' });
  const ms = (values: number[], digits: number) => `${median(values).toFixed(digits)} ms`;
  const count = talks.followers.toLocaleString('en');
  return [
    {
      name: `until ${count} followers are told ÷ a bare insert of as many rows`,
      ours: ms(
        rounds.map(({ toldMs }) => toldMs),
        0,
      ),
      limit: ms(
        rounds.map(({ insertMs }) => insertMs),
        0,
      ),
      ratio: spread(rounds.map(({ toldMs, insertMs }) => toldMs / insertMs)),
    },
    {
      name: `a text while ${count} followers are told ÷ quiet, p50`,
      ours: ms(
        rounds.map(({ busyMs }) => busyMs),
        2,
      ),
      limit: ms(
        rounds.map(({ quietMs }) => quietMs),
        2,
      ),
      ratio: spread(rounds.map(({ busyMs, quietMs }) => busyMs / quietMs)),
      aim: { atMost: 1.2 },
    },
  ];
}

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

async function rateOf(send: (n: number) => Promise<void>): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: PUSHED_AT_ONCE }, async () => {
      while (next < PUSHES) {
        next += 1;
        await send(next);
      }
    }),
  );
  return PUSHES / ((performance.now() - started) / 1000);
}

async function pushes({ stage, talks }: Pick<Hall, 'stage' | 'talks'>): Promise<Figure> {
  const sink = await startChild('servers/push-sink.ts');
  const config = benchConfig(talks.url, stage.folder);
  const vapid = createVapid({ config, clock: systemClock });
  const keys = webPush.generateVAPIDKeys();
  const devices = Array.from({ length: 50 }, (_, n): Subscription => {
    const p256dh = createECDH('prime256v1').generateKeys('base64url');
    const auth = randomBytes(16).toString('base64url');
    return { endpoint: `http://127.0.0.1:${sink.port}/${n}`, keys: { p256dh, auth } };
  });
  const payload = JSON.stringify({ web_push: 8030, notification: { title: 'Stagedoor', body: TEXT, navigate: '/' } });
  const deviceOf = (n: number): Subscription => {
    const device = devices[n % devices.length];
    if (!device) throw new Error('there is no device');
    return device;
  };
  const ours = async (n: number) => {
    const { endpoint, keys: own } = deviceOf(n);
    const { origin } = new URL(endpoint);
    const how = {
      kind: 'newPost',
      tag: 'newPost',
      authorization: await vapid(origin),
      now: systemClock.now(),
      timeoutMs: 5_000,
      payload,
    };
    const answer = await post({ endpoint, ...own }, how);
    if (answer.is !== 'sent') throw new Error(`a push was ${answer.is}`);
  };
  const bare = async (n: number) => {
    const details = webPush.generateRequestDetails(deviceOf(n), payload, {
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
  await rateOf(ours);
  await rateOf(bare);
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < stage.options.rounds; round += 1)
    rounds.push(
      round % 2 === 0
        ? { ours: await rateOf(ours), bare: await rateOf(bare) }
        : { bare: await rateOf(bare), ours: await rateOf(ours) },
    );
  await sink.stop();
  const shown = (pick: 'ours' | 'bare') => `${Math.round(median(rounds.map((one) => one[pick])))}/s`;
  return {
    name: 'pushes encrypted and sent ÷ web-push',
    ours: shown('ours'),
    limit: shown('bare'),
    ratio: spread(rounds.map((one) => one.ours / one.bare)),
    aim: { atLeast: 0.95 },
  };
}

export async function notifications(stage: Stage): Promise<Result> {
  const talks = await makeTalks(stage);
  const dataDir = join(stage.folder, 'notifications');
  await mkdir(dataDir, { recursive: true });
  const sockets = await startSockets();
  const ours = await startChild('servers/product.ts', [talks.url, dataDir]);
  const hall = { stage, talks, sockets, ours };
  const figures = [await arrival(hall), ...(await followers(hall)), await pushes(hall)];
  for (const child of [ours, sockets]) await child.stop();
  return {
    bench: 'notifications',
    reading:
      'Times: less is better; 1 is the budget, the same when quiet, or one statement. Pushes a second: more is better.',
    figures,
    notes: [
      'Followers are told in chunks with pauses between them, so that others notice nothing of it: that they hear at once is no aim.',
    ],
  };
}

import { randomUUID } from 'node:crypto';
import { runSql } from '../server/platform/database/db.ts';
import { type ChatWorld, PAIRS, TEXT } from './fixtures/conversations.ts';
import { formatSessionCookie } from './fixtures/users.ts';
import type { Child } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { withDatabase } from './harness/database.ts';
import type { Figure } from './harness/report.ts';
import { median, summarizeRatios } from './harness/rounds.ts';
import type { OutgoingMessage, Sockets } from './harness/sockets.ts';

const LISTENERS = 500;
const BROADCASTS = 9;

export type BroadcastSetup = { context: BenchContext; world: ChatWorld; sockets: Sockets; ours: Child };

type Broadcast = { ackMs: number; lastMs: number };

export async function measureBroadcasts(setup: BroadcastSetup): Promise<Figure[]> {
  const { context, sockets, world, ours } = setup;
  const send = async (cookie: string): Promise<Broadcast> => {
    const key = randomUUID();
    const body = JSON.stringify({ audience: 'followers', text: `${TEXT} ${key}`, clientId: randomUUID() });
    const message: OutgoingMessage = {
      from: 3 * PAIRS,
      header: cookie,
      path: '/api/message/broadcast-text',
      body,
      key,
      to: 0,
    };
    const events = Math.min(LISTENERS, world.fewFollowers);
    const times = await sockets.send({ send: 'followers', port: ours.port, message, events });
    await ours.request({ settle: true });
    return times;
  };
  const insert = async () =>
    withDatabase(world.url, async (db) => {
      await runSql(db, 'create table if not exists bench.inbox (fan_id uuid, broadcast_id uuid, at timestamptz)');
      await runSql(db, 'truncate bench.inbox');
      const started = performance.now();
      await runSql(
        db,
        `insert into bench.inbox select gen_random_uuid(), '${randomUUID()}', now() from generate_series(1, ${world.followers})`,
      );
      return performance.now() - started;
    });
  await sockets.open({
    open: 'followers',
    port: ours.port,
    isSocketIo: true,
    headers: Array.from({ length: LISTENERS }, (_, n) => formatSessionCookie(world.toFanNumber(n))),
  });
  const rounds: { wide: Broadcast; narrow: Broadcast; insertMs: number }[] = [];
  for (const cookie of [world.cookies.wide, world.cookies.narrow]) await send(cookie);
  for (let round = 0; round < context.options.rounds; round += 1) {
    const [wide, narrow]: Broadcast[][] = [[], []];
    for (let n = 0; n < BROADCASTS; n += 1) {
      wide?.push(await send(world.cookies.wide));
      narrow?.push(await send(world.cookies.narrow));
    }
    const toMedians = (all: Broadcast[] = []) => ({
      ackMs: median(all.map(({ ackMs }) => ackMs)),
      lastMs: median(all.map(({ lastMs }) => lastMs)),
    });
    const roundTimes = { wide: toMedians(wide), narrow: toMedians(narrow), insertMs: await insert() };
    rounds.push(roundTimes);
    const { ackMs, lastMs } = roundTimes.wide;
    context.logProgress(
      `broadcast: ${ackMs.toFixed(1)} ms (few: ${roundTimes.narrow.ackMs.toFixed(1)}), last ${lastMs.toFixed(0)} ms, insert ${roundTimes.insertMs.toFixed(0)} ms`,
    );
  }
  await sockets.close({ close: 'followers' });
  const ms = (values: number[]) => `${median(values).toFixed(1)} ms`;
  const count = world.followers.toLocaleString('en');
  return [
    {
      name: `a broadcast is acknowledged: ${count} ÷ ${world.fewFollowers.toLocaleString('en')} followers`,
      ours: ms(rounds.map(({ wide }) => wide.ackMs)),
      limit: ms(rounds.map(({ narrow }) => narrow.ackMs)),
      ratio: summarizeRatios(rounds.map(({ wide, narrow }) => wide.ackMs / narrow.ackMs)),
      aim: { atMost: 1.2 },
    },
    {
      name: `until all ${count} would see it and the last of ${LISTENERS} connected has it ÷ bare insert of as many rows`,
      ours: ms(rounds.map(({ wide }) => wide.lastMs)),
      limit: ms(rounds.map(({ insertMs }) => insertMs)),
      ratio: summarizeRatios(rounds.map(({ wide, insertMs }) => wide.lastMs / insertMs)),
      aim: { atMost: 1 },
    },
  ];
}

import { randomUUID } from 'node:crypto';
import { runSql } from '../server/kernel/db.ts';
import type { Child } from './harness/child.ts';
import { withDatabase } from './harness/database.ts';
import type { Figure } from './harness/report.ts';
import { median, spread } from './harness/rounds.ts';
import type { Saying, Sockets } from './harness/sockets.ts';
import type { Stage } from './harness/stage.ts';
import { cookieLine } from './worlds/people.ts';
import { PAIRS, type Talks, TEXT } from './worlds/talks.ts';

const LISTENING = 500;
const BROADCASTS = 9;

export type Hall = { stage: Stage; talks: Talks; sockets: Sockets; ours: Child };

type Broadcast = { ackMs: number; lastMs: number };

export async function broadcasts(hall: Hall): Promise<Figure[]> {
  const { stage, sockets, talks, ours } = hall;
  const send = async (cookie: string): Promise<Broadcast> => {
    const key = randomUUID();
    const body = JSON.stringify({ audience: 'followers', text: `${TEXT} ${key}`, clientId: randomUUID() });
    const saying: Saying = {
      from: 3 * PAIRS,
      header: cookie,
      path: '/api/message/broadcast-text',
      body,
      key,
      to: 0,
    };
    const events = Math.min(LISTENING, talks.fewFollowers);
    const called = await sockets.call({ call: 'followers', port: ours.port, saying, events });
    await ours.ask({ settle: true });
    return called;
  };
  const insert = async () =>
    withDatabase(talks.url, async (db) => {
      await runSql(db, 'create table if not exists bench.inbox (fan_id uuid, broadcast_id uuid, at timestamptz)');
      await runSql(db, 'truncate bench.inbox');
      const started = performance.now();
      await runSql(
        db,
        `insert into bench.inbox select gen_random_uuid(), '${randomUUID()}', now() from generate_series(1, ${talks.followers})`,
      );
      return performance.now() - started;
    });
  await sockets.open({
    open: 'followers',
    port: ours.port,
    isSocketIo: true,
    headers: Array.from({ length: LISTENING }, (_, n) => cookieLine(talks.crowd(n))),
  });
  const rounds: { wide: Broadcast; narrow: Broadcast; insertMs: number }[] = [];
  for (const cookie of [talks.cookies.wide, talks.cookies.narrow]) await send(cookie);
  for (let round = 0; round < stage.options.rounds; round += 1) {
    const [wide, narrow]: Broadcast[][] = [[], []];
    for (let n = 0; n < BROADCASTS; n += 1) {
      wide?.push(await send(talks.cookies.wide));
      narrow?.push(await send(talks.cookies.narrow));
    }
    const middle = (all: Broadcast[] = []) => ({
      ackMs: median(all.map(({ ackMs }) => ackMs)),
      lastMs: median(all.map(({ lastMs }) => lastMs)),
    });
    const one = { wide: middle(wide), narrow: middle(narrow), insertMs: await insert() };
    rounds.push(one);
    const { ackMs, lastMs } = one.wide;
    stage.tell(
      `broadcast: ${ackMs.toFixed(1)} ms (few: ${one.narrow.ackMs.toFixed(1)}), last ${lastMs.toFixed(0)} ms, insert ${one.insertMs.toFixed(0)} ms`,
    );
  }
  await sockets.close({ close: 'followers' });
  const ms = (values: number[]) => `${median(values).toFixed(1)} ms`;
  const count = talks.followers.toLocaleString('en');
  return [
    {
      name: `a broadcast is acknowledged: ${count} ÷ ${talks.fewFollowers.toLocaleString('en')} followers`,
      ours: ms(rounds.map(({ wide }) => wide.ackMs)),
      limit: ms(rounds.map(({ narrow }) => narrow.ackMs)),
      ratio: spread(rounds.map(({ wide, narrow }) => wide.ackMs / narrow.ackMs)),
      aim: { atMost: 1.2 },
    },
    {
      name: `until all ${count} would see it and the last of ${LISTENING} connected has it ÷ bare insert of as many rows`,
      ours: ms(rounds.map(({ wide }) => wide.lastMs)),
      limit: ms(rounds.map(({ insertMs }) => insertMs)),
      ratio: spread(rounds.map(({ wide, insertMs }) => wide.lastMs / insertMs)),
      aim: { atMost: 1 },
    },
  ];
}

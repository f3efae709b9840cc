/**
 * Each subject with rows in `reactions_due` has one job that handles them in order, so that different subjects run
 * concurrently.
 */
import * as z from 'zod/mini';
import type { Database, Statement } from './db.ts';
import type { EventPayload, EventType, Told } from './events.ts';
import { type Attempt, type Jobs, job } from './jobs.ts';
import type { Logger } from './log.ts';
import type { Reactions, Work } from './reactions.ts';

/**
 * Concurrency of the queues per process. `money` and `rings` (of calls) wait for nothing else, `quick` is for what a
 * user may wait for, `bulk` for many users at once, `followers` for notifying followers. One runner serves all with a
 * single listening connection.
 */
export const LANES = { money: 4, rings: 3, quick: 4, bulk: 3, followers: 3 } as const;
export type Lane = keyof typeof LANES;
const LANE_NAMES = ['money', 'rings', 'quick', 'bulk', 'followers'] as const satisfies Lane[];

export const MAX_ATTEMPTS = 12;
const BATCH = 100;
const TURN_MS = 1_000;
const CROWDED = '500 milliseconds';

const NEXT: Statement = {
  name: 'reactions-next',
  text: `select id, reaction, event_id, payload, created_at, step, attempts from reactions_due
    where lane = $1 and subject = $2 and attempts < $3 and not_before <= now() order by id limit $4`,
};
const STEPPED: Statement = {
  name: 'reactions-stepped',
  text: 'update reactions_due set step = $2, attempts = 0 where id = $1',
};
const FAILED: Statement = {
  name: 'reactions-failed',
  text: `update reactions_due set attempts = attempts + 1, failure = $2,
    not_before = now() + make_interval(secs => least(600, power(2, attempts))) where id = $1`,
};
const REST: Statement = {
  name: 'reactions-rest',
  text: 'select relay_rest($1, $2, $3::bigint[], $4, $5, $6::interval) as goes_on',
};

type Row = {
  id: number;
  reaction: string;
  event_id: string;
  payload: EventPayload<EventType>;
  created_at: Date;
  step: string | null;
  attempts: number;
};
type Known = { type: EventType; work: Work };

const workJob = job('relay.work', z.object({ lane: z.enum(LANE_NAMES), subject: z.string() }));

export const REACTION_JOBS: readonly string[] = [workJob.name];

export function defineReactionJobs(db: () => Database, jobs: Jobs, reactions: Reactions, log: Logger): void {
  const working = new Map<Work | Lane, number>();
  const count = (what: Work | Lane) => working.get(what) ?? 0;
  const isFull = (lane: Lane) => count(lane) >= LANES[lane];

  async function perform(known: Known, rows: readonly Row[], signal: AbortSignal | undefined): Promise<number[]> {
    const { type, work } = known;
    const [first] = rows;
    if (!first) return [];
    const told = (row: Row): Told<EventType> => ({
      eventId: row.event_id,
      type,
      payload: row.payload,
      createdAt: row.created_at,
    });
    try {
      const step = await work.run(rows.map(told), { from: first.step, signal });
      if (step === null) return rows.map(({ id }) => id);
      await db().run(STEPPED, [first.id, step]);
    } catch (error) {
      if (rows.length > 1) {
        const through: number[] = [];
        for (const row of rows) through.push(...(await perform(known, [row], signal)));
        return through;
      }
      const isLast = first.attempts + 1 >= MAX_ATTEMPTS;
      log.error({ err: error, eventId: first.event_id, reaction: first.reaction, isLast }, 'a reaction failed');
      await db().run(FAILED, [first.id, error instanceof Error ? error.message : 'failed']);
    }
    return [];
  }

  function together({ work }: Known, rows: readonly Row[]): readonly Row[] {
    const [first] = rows;
    if (!first || first.attempts > 0 || !work.isTogether) return rows.slice(0, 1);
    const end = rows.findIndex((row) => row.reaction !== first.reaction || row.attempts > 0);
    return end === -1 ? rows : rows.slice(0, end);
  }

  async function counting<T>(what: Work | Lane, work: () => Promise<T>): Promise<T> {
    working.set(what, count(what) + 1);
    try {
      return await work();
    } finally {
      working.set(what, count(what) - 1);
    }
  }

  const leave = async (lane: Lane, subject: string, pause = '0') =>
    void (await db().run(REST, [lane, subject, [], MAX_ATTEMPTS, false, pause]));

  async function workOn(lane: Lane, subject: string, { signal }: Attempt): Promise<void> {
    const until = performance.now() + TURN_MS;
    for (;;) {
      const rows = await db().run<Row>(NEXT, [lane, subject, MAX_ATTEMPTS, BATCH]);
      const [first] = rows;
      if (!first || signal?.aborted || performance.now() > until) return leave(lane, subject);
      const known = reactions.workOf(first.reaction);
      // Belongs to another release, whose own workers run it.
      if (!known) {
        await db().run(FAILED, [first.id, 'nobody here does it']);
        continue;
      }
      // Leaves one slot of the queue for others if a handler hangs for many subjects.
      if (count(known.work) >= LANES[lane] - 1) return leave(lane, subject, CROWDED);
      const done = await counting(known.work, () => perform(known, together(known, rows), signal));
      if (done.length === 0) continue;
      const [end] = await db().run<{ goes_on: boolean }>(REST, [lane, subject, done, MAX_ATTEMPTS, true, '0']);
      if (!end?.goes_on) return;
    }
  }

  jobs.define(
    workJob,
    async ({ lane, subject }, attempt) => {
      if (isFull(lane)) await leave(lane, subject, CROWDED);
      else await counting(lane, () => workOn(lane, subject, attempt));
    },
    'relay',
    {
      atOnce: Object.values(LANES).reduce<number>((sum, atOnce) => sum + atOnce, 0),
      full: () => LANE_NAMES.filter(isFull),
    },
  );
}

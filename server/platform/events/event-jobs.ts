/**
 * Each subject with rows in `event_jobs` has one job that handles them in order, so that different subjects run
 * concurrently.
 */
import * as z from 'zod/mini';
import type { Database, SqlStatement } from '../database/db.ts';
import { defineJob, type JobAttempt, type Jobs } from '../jobs/jobs.ts';
import type { Logger } from '../log.ts';
import { EVENT_QUEUES, type EventHandlers, type EventQueue, type JobHandler } from './event-handlers.ts';
import type { DomainEvent, EventPayload, EventType } from './event-types.ts';

const EVENT_QUEUE_NAMES = ['money', 'rings', 'quick', 'bulk', 'followers'] as const satisfies EventQueue[];

export const MAX_JOB_ATTEMPTS = 12;
const BATCH = 100;
const SLICE_MS = 1_000;
const BUSY_DELAY = '500 milliseconds';

const READ_NEXT: SqlStatement = {
  name: 'event-jobs-next',
  text: `select id, handler, event_id, payload, created_at, step, attempts from event_jobs
    where queue = $1 and subject = $2 and attempts < $3 and not_before <= now() order by id limit $4`,
};
const SAVE_STEP: SqlStatement = {
  name: 'event-jobs-save-step',
  text: 'update event_jobs set step = $2, attempts = 0 where id = $1',
};
const RECORD_FAILURE: SqlStatement = {
  name: 'event-jobs-record-failure',
  text: `update event_jobs set attempts = attempts + 1, failure = $2,
    not_before = now() + make_interval(secs => least(600, power(2, attempts))) where id = $1`,
};
const FINISH: SqlStatement = {
  name: 'event-jobs-finish',
  text: 'select relay_finish_batch($1, $2, $3::bigint[], $4, $5, $6::interval) as has_more',
};

type Row = {
  id: number;
  handler: string;
  event_id: string;
  payload: EventPayload<EventType>;
  created_at: Date;
  step: string | null;
  attempts: number;
};
type JobHandlerEntry = { type: EventType; handler: JobHandler };

const eventJob = defineJob('relay.work', z.object({ queue: z.enum(EVENT_QUEUE_NAMES), subject: z.string() }));

export const EVENT_JOBS: readonly string[] = [eventJob.name];

export function defineEventJobs(db: () => Database, jobs: Jobs, eventHandlers: EventHandlers, log: Logger): void {
  const runningCounts = new Map<JobHandler | EventQueue, number>();
  const getRunningCount = (counted: JobHandler | EventQueue) => runningCounts.get(counted) ?? 0;
  const isQueueFull = (queue: EventQueue) => getRunningCount(queue) >= EVENT_QUEUES[queue];

  async function handleRows(
    entry: JobHandlerEntry,
    rows: readonly Row[],
    signal: AbortSignal | undefined,
  ): Promise<number[]> {
    const { type, handler } = entry;
    const [first] = rows;
    if (!first) return [];
    const toEvent = (row: Row): DomainEvent<EventType> => ({
      eventId: row.event_id,
      type,
      payload: row.payload,
      createdAt: row.created_at,
    });
    try {
      const step = await handler.run(rows.map(toEvent), { previous: first.step, signal });
      if (step === null) return rows.map(({ id }) => id);
      await db().run(SAVE_STEP, [first.id, step]);
    } catch (error) {
      if (rows.length > 1) {
        const handledIds: number[] = [];
        for (const row of rows) handledIds.push(...(await handleRows(entry, [row], signal)));
        return handledIds;
      }
      const isLastAttempt = first.attempts + 1 >= MAX_JOB_ATTEMPTS;
      log.error(
        { err: error, eventId: first.event_id, handler: first.handler, isLastAttempt },
        'an event handler failed',
      );
      await db().run(RECORD_FAILURE, [first.id, error instanceof Error ? error.message : 'failed']);
    }
    return [];
  }

  function takeBatch({ handler }: JobHandlerEntry, rows: readonly Row[]): readonly Row[] {
    const [first] = rows;
    if (!first || first.attempts > 0 || !handler.isBatched) return rows.slice(0, 1);
    const end = rows.findIndex((row) => row.handler !== first.handler || row.attempts > 0);
    return end === -1 ? rows : rows.slice(0, end);
  }

  async function countWhile<T>(counted: JobHandler | EventQueue, work: () => Promise<T>): Promise<T> {
    runningCounts.set(counted, getRunningCount(counted) + 1);
    try {
      return await work();
    } finally {
      runningCounts.set(counted, getRunningCount(counted) - 1);
    }
  }

  const finishSlice = async (queue: EventQueue, subject: string, pause = '0') =>
    void (await db().run(FINISH, [queue, subject, [], MAX_JOB_ATTEMPTS, false, pause]));

  async function processSubject(queue: EventQueue, subject: string, { signal }: JobAttempt): Promise<void> {
    const until = performance.now() + SLICE_MS;
    for (;;) {
      const rows = await db().run<Row>(READ_NEXT, [queue, subject, MAX_JOB_ATTEMPTS, BATCH]);
      const [first] = rows;
      if (!first || signal?.aborted || performance.now() > until) return finishSlice(queue, subject);
      const entry = eventHandlers.findJobHandler(first.handler);
      // Belongs to another release, whose own workers run it.
      if (!entry) {
        await db().run(RECORD_FAILURE, [first.id, 'no handler is registered']);
        continue;
      }
      // Leaves one slot of the queue for others if a handler hangs for many subjects.
      if (getRunningCount(entry.handler) >= EVENT_QUEUES[queue] - 1) return finishSlice(queue, subject, BUSY_DELAY);
      const done = await countWhile(entry.handler, () => handleRows(entry, takeBatch(entry, rows), signal));
      if (done.length === 0) continue;
      const [end] = await db().run<{ has_more: boolean }>(FINISH, [queue, subject, done, MAX_JOB_ATTEMPTS, true, '0']);
      if (!end?.has_more) return;
    }
  }

  jobs.define(
    eventJob,
    async ({ queue, subject }, attempt) => {
      if (isQueueFull(queue)) await finishSlice(queue, subject, BUSY_DELAY);
      else await countWhile(queue, () => processSubject(queue, subject, attempt));
    },
    'relay',
    {
      concurrency: Object.values(EVENT_QUEUES).reduce<number>((sum, atOnce) => sum + atOnce, 0),
      listFullFlags: () => EVENT_QUEUE_NAMES.filter(isQueueFull),
      wakeUpMs: 0,
    },
  );
}

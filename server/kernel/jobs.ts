/** Background jobs by graphile-worker: enqueued in the caller's transaction, run at least once, tried again with growing pauses. */
import { EventEmitter } from 'node:events';
import {
  type CronItem,
  parseCronItems,
  type Runner,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import * as z from 'zod/mini';
import type { Database, Executor, Statement } from './db.ts';
import { type Liveness, watchWorkers } from './jobs-liveness.ts';
import type { Logger } from './log.ts';

export type JobSpec<S extends z.ZodMiniType> = { name: string; payload: S };
type JobOptions = {
  key?: string;
  runAt?: Date;
  maxAttempts?: number /** Lower runs sooner; 0 by default. */;
  priority?: number;
};

/** `signal` is aborted when the process drains. */
export type Attempt = { isLast: boolean; signal: AbortSignal | undefined };

export interface Jobs {
  /**
   * Declares what runs for a job. Jobs of a `lane` run one at a time in each process and hold up no others; for what takes
   * minutes and hours. Without one, two of all run at once.
   */
  define<S extends z.ZodMiniType>(
    spec: JobSpec<S>,
    task: (payload: z.output<S>, attempt: Attempt) => Promise<void>,
    lane?: string,
  ): void;
  /** Enqueues in `tx`'s transaction. A job of the same `key` that has not started is replaced. */
  add<S extends z.ZodMiniType>(
    tx: Executor,
    spec: JobSpec<S>,
    payload: z.input<S>,
    options?: JobOptions,
  ): Promise<void>;
  /** Runs `task` at times given as a crontab line in UTC. */
  schedule(name: string, cron: string, task: () => Promise<void>): void;
  start(): Promise<void>;
  /** Stops taking jobs and waits for those that run. */
  stop(): Promise<void>;
}

/** The lane of jobs that name none. */
const EVERYTHING = '';

const ADD: Statement = {
  name: 'jobs-add',
  text: 'select 1 from graphile_worker.add_job($1, payload := $2::json, job_key := $3, run_at := $4::timestamptz, max_attempts := $5::int, priority := $6::int)',
};

/** Declares a job. */
export function job<S extends z.ZodMiniType>(name: string, payload: S): JobSpec<S> {
  return { name, payload };
}

export function createJobs(db: () => Database, log: Logger, options: { concurrency: number }): Jobs {
  const lanes = new Map<string, TaskList>([[EVERYTHING, {}]]);
  const names = new Set<string>();
  const cronItems: CronItem[] = [];
  const runners: Runner[] = [];
  function declare(name: string, lane: string, task: Task): void {
    if (names.has(name)) throw new Error(`job ${name} is defined twice`);
    names.add(name);
    lanes.set(lane, { ...lanes.get(lane), [name]: task });
  }
  let liveness: Liveness | undefined;
  return {
    define: (spec, task, lane = EVERYTHING) =>
      declare(spec.name, lane, async (payload, helpers) => {
        const { attempts, max_attempts: max } = helpers.job;
        await task(z.parse(spec.payload, payload), { isLast: attempts >= max, signal: helpers.abortSignal });
      }),
    add: async (tx, spec, payload, { key, runAt, maxAttempts, priority } = {}) => {
      await tx.run(ADD, [
        spec.name,
        JSON.stringify(payload),
        key ?? null,
        runAt ?? null,
        maxAttempts ?? 6,
        priority ?? 0,
      ]);
    },
    schedule: (name, cron, task) => {
      declare(name, EVERYTHING, async () => task());
      cronItems.push({ task: name, match: cron, options: { maxAttempts: 3 } });
    },
    start: async () => {
      const watched = watchWorkers(db().pool, log);
      liveness = watched;
      const events: WorkerEvents = new EventEmitter();
      events.on('worker:create', ({ worker }) => watched.add(worker.workerId));
      for (const [lane, taskList] of lanes) {
        const isMain = lane === EVERYTHING;
        runners.push(
          await run({
            pgPool: db().pool,
            events,
            taskList,
            parsedCronItems: parseCronItems(isMain ? cronItems : []),
            concurrency: isMain ? options.concurrency : 1,
            noHandleSignals: true,
            pollInterval: 2_000,
            logger: new WorkerLogger(() => (level, message) => {
              if (level === 'error') log.error(message);
              else if (level === 'warning') log.warn(message);
              else log.debug(message);
            }),
          }),
        );
      }
    },
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      await liveness?.stop();
    },
  };
}

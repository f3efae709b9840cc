/**
 * Background jobs by graphile-worker: enqueued in the caller's transaction, run at least once, retried with growing
 * delays.
 */
import { EventEmitter } from 'node:events';
import {
  type CronItem,
  parseCronItems,
  type Runner,
  type RunnerOptions,
  type RunOnceOptions,
  run,
  runTaskListOnce,
  type Task,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import pg from 'pg';
import * as z from 'zod/mini';
import { type Database, type Executor, isDatabaseAway, type Statement } from './db.ts';
import { type Liveness, watchPools } from './jobs-liveness.ts';
import type { Logger } from './log.ts';

export type JobSpec<S extends z.ZodMiniType> = { name: string; payload: S };
type JobOptions = {
  key?: string;
  runAt?: Date;
  maxAttempts?: number;
  /** Lower runs sooner. The default is 0. */
  priority?: number;
};

/** `signal` is aborted when the process drains. */
export type Attempt = { isLast: boolean; signal: AbortSignal | undefined };

export type Room = { atOnce: number; full?: () => string[] };

export interface Jobs {
  /**
   * Defines the task of a job. It runs at least once, and rarely twice at the same time (when a live process was
   * considered gone), so it must be idempotent. Jobs of a named queue run one at a time per process unless `room`
   * permits more, and delay no others. Use one for work of minutes or hours. A queue holds a database connection of its
   * own.
   */
  define<S extends z.ZodMiniType>(
    spec: JobSpec<S>,
    task: (payload: z.output<S>, attempt: Attempt) => Promise<void>,
    lane?: string,
    room?: Room,
  ): void;
  /** Enqueues in the transaction of `tx`. Replaces a job of the same `key` that has not started. */
  add<S extends z.ZodMiniType>(
    tx: Executor,
    spec: JobSpec<S>,
    payload: z.input<S>,
    options?: JobOptions,
  ): Promise<void>;
  pending(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Runs `task` by a crontab line in UTC, once across all processes. */
  schedule(name: string, cron: string, task: () => Promise<void>, lane?: string): void;
  start(): Promise<void>;
  runDue(names: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

const EVERYTHING = '';
const TAKING = 2;

const ADD: Statement = {
  name: 'jobs-add',
  text: 'select 1 from graphile_worker.add_job($1, payload := $2::json, job_key := $3, run_at := $4::timestamptz, max_attempts := $5::int, priority := $6::int)',
};

const PENDING: Statement = {
  name: 'jobs-pending',
  text: 'select key from graphile_worker.jobs where key = any ($1::text[]) and (attempts < max_attempts or locked_at is not null)',
};

/** graphile-worker reads this code as a database that is starting, and retries for hours if needed. */
const STARTS = '57P03';

/**
 * Turns errors of an unreachable database into {@link STARTS}. Any other error while a job is completed would end the
 * process, because graphile-worker does not await it.
 */
function lasting(of: object, method: 'connect' | 'query'): void {
  const call: unknown = Reflect.get(of, method);
  if (typeof call !== 'function') throw new TypeError(`there is no ${method}`);
  const value = (...args: unknown[]): unknown => {
    const answer: unknown = Reflect.apply(call, of, args);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
      throw Object.assign(new Error('the database is away', { cause: error }), { code: STARTS });
    });
  };
  Object.defineProperty(of, method, { value });
}

function toWorkerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}

export function job<S extends z.ZodMiniType>(name: string, payload: S): JobSpec<S> {
  return { name, payload };
}

export function createJobs(
  url: string,
  db: () => Database,
  log: Logger,
  options: { concurrency: number; lookMs?: number },
): Jobs {
  const lanes = new Map<string, { tasks: TaskList; room: Room }>([
    [EVERYTHING, { tasks: {}, room: { atOnce: options.concurrency } }],
  ]);
  const names = new Set<string>();
  const cronItems: CronItem[] = [];
  const runners: Runner[] = [];
  const cachedOptions: RunnerOptions[] = [];
  const onceOptions = new Map<string, RunOnceOptions>();
  let liveness: Liveness | undefined;
  let pool: pg.Pool | undefined;
  let isStarted = false;
  function declare(name: string, lane: string, task: Task, room: Room = { atOnce: 1 }): void {
    if (names.has(name)) throw new Error(`job ${name} is defined twice`);
    names.add(name);
    const known = lanes.get(lane);
    lanes.set(lane, { tasks: { ...known?.tasks, [name]: task }, room: known?.room ?? room });
  }
  const logger = toWorkerLogger(log);
  const events: WorkerEvents = new EventEmitter();
  return {
    define: (spec, task, lane = EVERYTHING, room) =>
      declare(
        spec.name,
        lane,
        async (payload, helpers) => {
          const { attempts, max_attempts: max } = helpers.job;
          const attempt = { isLast: attempts >= max, signal: helpers.abortSignal };
          await task(z.parse(spec.payload, payload), attempt);
        },
        room,
      ),
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
    pending: async (keys) => {
      const rows = await db().run<{ key: string }>(PENDING, [keys]);
      return new Set(rows.map(({ key }) => key));
    },
    schedule: (name, cron, task, lane = EVERYTHING) => {
      declare(name, lane, async () => task());
      cronItems.push({ task: name, match: cron, options: { maxAttempts: 3 } });
    },
    runDue: async (due) => {
      if (isStarted) return;
      const all = [...lanes.values()].flatMap(({ tasks }) => Object.entries(tasks));
      const taskList = Object.fromEntries(all.filter(([name]) => due.includes(name)));
      // graphile-worker caches by the options object, so each list of jobs reuses one.
      const key = due.join();
      const options = onceOptions.get(key) ?? { pgPool: db().pool, noHandleSignals: true, logger };
      onceOptions.set(key, options);
      const client = await db().pool.connect();
      try {
        await runTaskListOnce(options, taskList, client).promise;
      } finally {
        client.release();
      }
    },
    start: async () => {
      isStarted = true;
      const watched = watchPools(url, log, options.lookMs);
      liveness = watched;
      // Separate from the application pool, which listening queues would use up.
      const atOnce = Math.max(...[...lanes.values()].map(({ room }) => room.atOnce));
      const max = Math.max(lanes.size + TAKING, atOnce);
      const own = new pg.Pool({ connectionString: url, max, application_name: 'stagedoor-jobs' });
      own.on('error', (error) => log.warn(`an idle connection of the jobs broke: ${error.message}`));
      own.on('connect', (client) => {
        client.on('error', () => undefined);
        lasting(client, 'query');
      });
      lasting(own, 'connect');
      pool = own;
      events.on('pool:create', ({ workerPool }) => watched.add(workerPool.id));
      events.on('pool:release', ({ workerPool }) => watched.remove(workerPool.id));
      const begin = async (lane: string, { tasks, room }: { tasks: TaskList; room: Room }) => {
        const runnerOptions: RunnerOptions = {
          pgPool: own,
          events,
          taskList: tasks,
          parsedCronItems: parseCronItems(lane === EVERYTHING ? cronItems : []),
          concurrency: room.atOnce,
          ...(room.full && { forbiddenFlags: room.full }),
          noHandleSignals: true,
          pollInterval: 2_000,
          logger,
        };
        cachedOptions.push(runnerOptions);
        runners.push(await run(runnerOptions));
      };
      // The first runner migrates graphile-worker's tables, so the others start after it.
      const [first, ...others] = lanes;
      if (first) await begin(...first);
      await Promise.all(others.map((lane) => begin(...lane)));
    },
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      // graphile-worker caches its options until the process ends, so references to tasks and listeners are removed.
      for (const { tasks } of lanes.values()) for (const name of Object.keys(tasks)) delete tasks[name];
      for (const cached of cachedOptions) delete cached.forbiddenFlags;
      events.removeAllListeners();
      await liveness?.stop();
      await pool?.end();
      pool?.removeAllListeners();
      // A connection that is still closing may report an error, which would end the process if nothing listened.
      pool?.on('error', () => undefined);
    },
  };
}

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
import { type Database, type Executor, isDatabaseUnavailable, type SqlStatement } from '../database/db.ts';
import type { Logger } from '../log.ts';
import { type PoolLiveness, watchPools } from './jobs-liveness.ts';
import { limitWakeUps } from './wake-ups.ts';

export type JobSpec<S extends z.ZodMiniType> = { name: string; payload: S };
type JobOptions = {
  key?: string;
  runAt?: Date;
  maxAttempts?: number;
  /** Lower runs sooner. The default is 0. */
  priority?: number;
};

/** `signal` is aborted when the process drains. */
export type JobAttempt = { isLast: boolean; signal: AbortSignal | undefined };

export type QueueCapacity = {
  concurrency: number;
  listFullFlags?: () => string[];
  /** How long a job may wait after a wake-up of its queue, in ms. 0 costs a query for every job of any queue. */
  wakeUpMs?: number;
};

export interface Jobs {
  /**
   * Defines the task of a job. It runs at least once, and rarely twice at the same time (when a live process was
   * considered gone), so it must be idempotent. Jobs of a named queue run one at a time per process unless `capacity`
   * permits more, and delay no others. Use one for work of minutes or hours. A queue holds a database connection of its
   * own.
   */
  define<S extends z.ZodMiniType>(
    spec: JobSpec<S>,
    task: (payload: z.output<S>, attempt: JobAttempt) => Promise<void>,
    queue?: string,
    capacity?: QueueCapacity,
  ): void;
  /** Enqueues in the transaction of `tx`. Replaces a job of the same `key` that has not started. */
  add<S extends z.ZodMiniType>(
    tx: Executor,
    spec: JobSpec<S>,
    payload: z.input<S>,
    options?: JobOptions,
  ): Promise<void>;
  pending(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Runs `task` by a crontab line in UTC, once across all processes. `signal` is aborted when the process stops. */
  schedule(name: string, cron: string, task: (signal?: AbortSignal) => Promise<void>, queue?: string): void;
  start(): Promise<void>;
  runDue(jobNames: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

const DEFAULT_QUEUE = '';
const DEFAULT_WAKE_UP_MS = 100;
const EXTRA_CONNECTIONS = 2;

const ADD: SqlStatement = {
  name: 'jobs-add',
  text: 'select 1 from graphile_worker.add_job($1, payload := $2::json, job_key := $3, run_at := $4::timestamptz, max_attempts := $5::int, priority := $6::int)',
};

const PENDING: SqlStatement = {
  name: 'jobs-pending',
  text: 'select key from graphile_worker.jobs where key = any ($1::text[]) and (attempts < max_attempts or locked_at is not null)',
};

/** graphile-worker reads this code as a database that is starting, and retries for hours if needed. */
const STARTING_CODE = '57P03';

/**
 * Turns errors of an unreachable database into {@link STARTING_CODE}. Any other error while a job is completed would end the
 * process, because graphile-worker does not await it.
 */
function treatOutageAsStarting(target: object, method: 'connect' | 'query'): void {
  const original: unknown = Reflect.get(target, method);
  if (typeof original !== 'function') throw new TypeError(`there is no ${method}`);
  const value = (...args: unknown[]): unknown => {
    const result: unknown = Reflect.apply(original, target, args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
      throw Object.assign(new Error('the database is away', { cause: error }), { code: STARTING_CODE });
    });
  };
  Object.defineProperty(target, method, { value });
}

function toWorkerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}

export function defineJob<S extends z.ZodMiniType>(name: string, payload: S): JobSpec<S> {
  return { name, payload };
}

export function createJobs(
  url: string,
  db: () => Database,
  log: Logger,
  options: { concurrency: number; checkMs?: number },
): Jobs {
  const queues = new Map<string, { tasks: TaskList; capacity: QueueCapacity }>([
    [DEFAULT_QUEUE, { tasks: {}, capacity: { concurrency: options.concurrency } }],
  ]);
  const jobNames = new Set<string>();
  const cronItems: CronItem[] = [];
  const runners: Runner[] = [];
  const emitters: WorkerEvents[] = [];
  const cachedOptions: RunnerOptions[] = [];
  const onceOptions = new Map<string, RunOnceOptions>();
  let liveness: PoolLiveness | undefined;
  let pool: pg.Pool | undefined;
  let isStarted = false;
  function addTask(name: string, queue: string, task: Task, capacity: QueueCapacity = { concurrency: 1 }): void {
    if (jobNames.has(name)) throw new Error(`job ${name} is defined twice`);
    jobNames.add(name);
    const known = queues.get(queue);
    queues.set(queue, { tasks: { ...known?.tasks, [name]: task }, capacity: known?.capacity ?? capacity });
  }
  const logger = toWorkerLogger(log);
  return {
    define: (spec, task, queue = DEFAULT_QUEUE, capacity) =>
      addTask(
        spec.name,
        queue,
        async (payload, helpers) => {
          const { attempts, max_attempts: max } = helpers.job;
          const attempt = { isLast: attempts >= max, signal: helpers.abortSignal };
          await task(z.parse(spec.payload, payload), attempt);
        },
        capacity,
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
    schedule: (name, cron, task, queue = DEFAULT_QUEUE) => {
      addTask(name, queue, async (_, { abortSignal }) => task(abortSignal));
      cronItems.push({ task: name, match: cron, options: { maxAttempts: 3 } });
    },
    runDue: async (due) => {
      if (isStarted) return;
      const all = [...queues.values()].flatMap(({ tasks }) => Object.entries(tasks));
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
      const watched = watchPools(url, log, options.checkMs);
      liveness = watched;
      // Separate from the application pool, which listening queues would use up.
      const concurrency = Math.max(...[...queues.values()].map(({ capacity }) => capacity.concurrency));
      const max = Math.max(queues.size + EXTRA_CONNECTIONS, concurrency);
      const jobPool = new pg.Pool({ connectionString: url, max, application_name: 'stagedoor-jobs' });
      jobPool.on('error', (error) => log.warn(`an idle connection of the jobs broke: ${error.message}`));
      jobPool.on('connect', (client) => {
        client.on('error', () => undefined);
        treatOutageAsStarting(client, 'query');
      });
      treatOutageAsStarting(jobPool, 'connect');
      pool = jobPool;
      const startRunner = async (queue: string, { tasks, capacity }: { tasks: TaskList; capacity: QueueCapacity }) => {
        const { wakeUpMs = DEFAULT_WAKE_UP_MS } = capacity;
        const events: WorkerEvents = new EventEmitter();
        events.on('pool:create', ({ workerPool }) => {
          watched.add(workerPool.id);
          limitWakeUps(workerPool, events, wakeUpMs);
        });
        events.on('pool:release', ({ workerPool }) => watched.remove(workerPool.id));
        emitters.push(events);
        const runnerOptions: RunnerOptions = {
          pgPool: jobPool,
          events,
          taskList: tasks,
          parsedCronItems: parseCronItems(queue === DEFAULT_QUEUE ? cronItems : []),
          concurrency: capacity.concurrency,
          ...(capacity.listFullFlags && { forbiddenFlags: capacity.listFullFlags }),
          noHandleSignals: true,
          pollInterval: 2_000,
          logger,
        };
        cachedOptions.push(runnerOptions);
        runners.push(await run(runnerOptions));
      };
      // The first runner migrates graphile-worker's tables, so the others start after it.
      const [first, ...others] = queues;
      if (first) await startRunner(...first);
      await Promise.all(others.map((queue) => startRunner(...queue)));
    },
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      // graphile-worker caches its options until the process ends, so references to tasks and listeners are removed.
      for (const { tasks } of queues.values()) for (const name of Object.keys(tasks)) delete tasks[name];
      for (const cached of cachedOptions) delete cached.forbiddenFlags;
      for (const events of emitters) events.removeAllListeners();
      await liveness?.stop();
      await pool?.end();
      pool?.removeAllListeners();
      // A connection that is still closing may report an error, which would end the process if nothing listened.
      pool?.on('error', () => undefined);
    },
  };
}

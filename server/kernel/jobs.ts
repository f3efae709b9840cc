/** Background jobs by graphile-worker: enqueued in the caller's transaction, run at least once, tried again with growing pauses. */
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
  maxAttempts?: number /** Lower runs sooner; 0 by default. */;
  priority?: number;
};

/** `signal` is aborted when the process drains. */
export type Attempt = { isLast: boolean; signal: AbortSignal | undefined };

/** How many jobs of a lane run in each process, and the flags of those that are not to be begun now. */
export type Room = { atOnce: number; full?: () => string[] };

export interface Jobs {
  /**
   * Declares what runs for a job: at least once, and in rare cases twice at once (a process that was taken for gone may live on),
   * so that every task bears both. Jobs of a `lane` run one at a time in each process, or as its room says, and hold up no
   * others; for what takes minutes and hours. Without one, two of all run at once. A lane holds a connection of its own.
   */
  define<S extends z.ZodMiniType>(
    spec: JobSpec<S>,
    task: (payload: z.output<S>, attempt: Attempt) => Promise<void>,
    lane?: string,
    room?: Room,
  ): void;
  /** Enqueues in `tx`'s transaction. A job of the same `key` that has not started is replaced. */
  add<S extends z.ZodMiniType>(
    tx: Executor,
    spec: JobSpec<S>,
    payload: z.input<S>,
    options?: JobOptions,
  ): Promise<void>;
  /** Of some keys, those with a job that runs, or will. */
  pending(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Runs `task` at times given as a crontab line in UTC; once, however many processes there are. */
  schedule(name: string, cron: string, task: () => Promise<void>, lane?: string): void;
  start(): Promise<void>;
  /** Runs what is due of some jobs, one after another, unless this process runs jobs anyway. */
  runDue(names: readonly string[]): Promise<void>;
  /** Stops taking jobs and waits for those that run. */
  stop(): Promise<void>;
}

/** The lane of jobs that name none. */
const EVERYTHING = '';
/** Connections with which all lanes together take jobs and hand them back, beside the one on which each listens. */
const TAKING = 2;

const ADD: Statement = {
  name: 'jobs-add',
  text: 'select 1 from graphile_worker.add_job($1, payload := $2::json, job_key := $3, run_at := $4::timestamptz, max_attempts := $5::int, priority := $6::int)',
};

const PENDING: Statement = {
  name: 'jobs-pending',
  text: 'select key from graphile_worker.jobs where key = any ($1::text[]) and (attempts < max_attempts or locked_at is not null)',
};

/** By this code graphile-worker knows that a database starts, and asks again, for hours if need be. */
const STARTS = '57P03';

/**
 * Has what an object answers fail with {@link STARTS} where the database is away. Handing a job back is awaited by nobody in
 * graphile-worker: what it does not take for a reason to ask again would end the process, and leave the job with somebody who lives.
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

/** Declares a job. */
export function job<S extends z.ZodMiniType>(name: string, payload: S): JobSpec<S> {
  return { name, payload };
}

/** `url` is the database's; `lookMs` how often it is looked whether others that run jobs are gone. */
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
      // graphile-worker caches by these options what it looked up, so each list of jobs has one object.
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
      // Beside the pool of what jobs do: lanes that listen on it would leave those who ask waiting for each other.
      const atOnce = Math.max(...[...lanes.values()].map(({ room }) => room.atOnce));
      // Fewer than the jobs of a lane at once, and graphile-worker warns at each start.
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
      // The first brings graphile-worker's own tables up to date, which the others then find.
      const [first, ...others] = lanes;
      if (first) await begin(...first);
      await Promise.all(others.map((lane) => begin(...lane)));
    },
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      // graphile-worker caches its options until the process ends. They must not hold on to what tasks and listeners use.
      for (const { tasks } of lanes.values()) for (const name of Object.keys(tasks)) delete tasks[name];
      for (const cached of cachedOptions) delete cached.forbiddenFlags;
      events.removeAllListeners();
      await liveness?.stop();
      await pool?.end();
      pool?.removeAllListeners();
    },
  };
}

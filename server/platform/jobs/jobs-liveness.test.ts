import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Database, openDatabase } from '../database/db.ts';
import { createLogger } from '../log.ts';
import { createJobs, defineJob, type Jobs } from './jobs.ts';
import { watchPools } from './jobs-liveness.ts';

const log = createLogger({ level: 'silent', isPretty: false });
const CHECK_MS = 50;
/** A cut connection is back before the pool counts as gone, also on a busy machine. */
const CUT_CHECK_MS = 700;
/** The check interval of the pools that run jobs. */
const RUN_CHECK_MS = 400;
const waitingJob = defineJob('test.held', z.object({ name: z.string() }));
const folder = fileURLToPath(new URL('.', import.meta.url));
/** Several times as long as it takes to consider a pool gone. */
const WAIT_MS = 8 * RUN_CHECK_MS;

let database: TestDatabase;
let db: Database;
const ended: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
});
afterAll(async () => {
  for (const end of ended) await end();
  await db.close();
  await database.drop();
});

async function startProcess(on: { url: string; db: Database }, runs: string[], until: Promise<unknown>) {
  const jobs = createJobs(on.url, () => on.db, log, { concurrency: 2, checkMs: RUN_CHECK_MS });
  jobs.define(waitingJob, async ({ name }) => {
    runs.push(name);
    await until;
  });
  await jobs.start();
  return jobs;
}

async function openOtherDatabase() {
  const ownDatabase = await createTestDatabase();
  const opened = openDatabase(ownDatabase.url);
  ended.push(async () => {
    await opened.close();
    await ownDatabase.drop();
  });
  return { url: ownDatabase.url, db: opened };
}

async function countJobs(on: Database): Promise<number> {
  return (await on.pool.query('select 1 from graphile_worker._private_jobs')).rows.length;
}

async function lockJob(pool: string): Promise<() => Promise<boolean>> {
  const { rows } = await db.pool.query<{ id: string }>(`select id from graphile_worker.add_job('anything')`);
  const id = rows[0]?.id;
  await db.pool.query(
    'update graphile_worker._private_jobs set locked_by = $1, locked_at = now(), attempts = 1 where id = $2',
    [pool, id],
  );
  return async () => {
    const answer = await db.pool.query(
      'select 1 from graphile_worker._private_jobs where id = $1 and locked_by is not null',
      [id],
    );
    return answer.rows.length > 0;
  };
}
const waitForChecks = () => sleep(CHECK_MS * 8);
async function listLockHolders(): Promise<number[]> {
  const { rows } = await db.pool.query<{ pid: number }>(
    `select distinct pid from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

it('a job of a live pool stays locked and is released once the pool is gone', async () => {
  const otherPools = watchPools(database.url, log, CHECK_MS);
  otherPools.add('pool-there');
  const ownPools = watchPools(database.url, log, CHECK_MS);
  ownPools.add('pool-here');
  await expect.poll(async () => (await listLockHolders()).length).toBe(2);
  const isLocked = await lockJob('pool-there');
  const isOwnLocked = await lockJob('pool-here');
  await waitForChecks();
  expect([await isLocked(), await isOwnLocked()]).toEqual([true, true]);
  await otherPools.stop();
  await expect.poll(isLocked).toBe(false);
  expect(await isOwnLocked()).toBe(true);
  ownPools.remove('pool-here');
  await expect.poll(isOwnLocked).toBe(false);
  await ownPools.stop();
});

it('jobs stay locked when the connection of their pool is cut repeatedly', async () => {
  const ownPools = watchPools(database.url, log, CUT_CHECK_MS);
  const others = watchPools(database.url, log, CUT_CHECK_MS);
  ownPools.add('pool-cut');
  await expect.poll(async () => (await listLockHolders()).length).toBe(1);
  const isLocked = await lockJob('pool-cut');
  for (let times = 0; times < 2; times += 1) {
    const [cut] = await listLockHolders();
    await db.pool.query('select pg_terminate_backend($1, 10000)', [cut]);
    await expect.poll(async () => (await listLockHolders()).filter((pid) => pid !== cut).length).toBe(1);
  }
  await sleep(4 * CUT_CHECK_MS);
  expect(await isLocked()).toBe(true);
  await ownPools.stop();
  await expect.poll(isLocked).toBe(false);
  await others.stop();
});

it('a job that outlasts the liveness checks runs once, in one process and in two', {
  timeout: 60_000,
}, async () => {
  const { promise: until, resolve: end } = Promise.withResolvers<void>();
  const databases = [await openOtherDatabase(), await openOtherDatabase()];
  const runs: string[][] = [[], []];
  const started: Jobs[] = [];
  for (const [index, target] of databases.entries())
    for (let processes = 0; processes <= index; processes += 1)
      started.push(await startProcess(target, runs[index] ?? [], until));
  for (const [index, target] of databases.entries())
    for (const name of ['first', 'second', 'third'].slice(0, 2 + index))
      await started[0]?.add(target.db, waitingJob, { name });
  await vi.waitFor(() => expect(runs.map((names) => names.length)).toEqual([2, 3]), { timeout: 30_000 });
  await sleep(WAIT_MS);
  end();
  await vi.waitFor(
    async () => expect(await Promise.all(databases.map((target) => countJobs(target.db)))).toEqual([0, 0]),
    {
      timeout: 30_000,
    },
  );
  expect(runs.map((names) => names.toSorted())).toEqual([
    ['first', 'second'],
    ['first', 'second', 'third'],
  ]);
  for (const jobs of started) await jobs.stop();
});

it.each<[string, NodeJS.Signals]>([
  ['killed', 'SIGKILL'],
  ['frozen', 'SIGSTOP'],
])('a job of a %s process is taken over within seconds', async (_, signal) => {
  const target = await openOtherDatabase();
  const script = `
    const { createJobs, defineJob } = await import('${folder}jobs.ts');
    const { openDatabase } = await import('${folder}../database/db.ts');
    const { createLogger } = await import('${folder}../log.ts');
    const z = await import('zod/mini');
    const db = openDatabase(process.env.DATABASE_URL);
    const jobs = createJobs(process.env.DATABASE_URL, () => db, createLogger({ level: 'silent', isPretty: false }), { concurrency: 2, checkMs: ${RUN_CHECK_MS} });
    jobs.define(defineJob('test.held', z.object({ name: z.string() })), async () => {
      process.stdout.write('held');
      await new Promise(() => setInterval(() => undefined, 1000));
    });
    await jobs.start();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: target.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const hasStarted = new Promise((resolve) => child.stdout.once('data', resolve));
  const enqueuer = createJobs(target.url, () => target.db, log, { concurrency: 1 });
  await enqueuer.add(target.db, waitingJob, { name: 'of one that is gone' });
  await hasStarted;

  const runs: string[] = [];
  const survivor = await startProcess(target, runs, Promise.resolve());
  await sleep(5 * RUN_CHECK_MS);
  expect(runs).toEqual([]);
  child.kill(signal);
  await vi.waitFor(() => expect(runs).toEqual(['of one that is gone']), { timeout: 30_000, interval: 50 });
  await expect.poll(() => countJobs(target.db)).toBe(0);
  child.kill('SIGKILL');
  await exited;
  await survivor.stop();
});

it('queues that wait for jobs use no connections of the application pool', async () => {
  const on = await openOtherDatabase();
  const jobs = createJobs(on.url, () => on.db, log, { concurrency: 2 });
  const seen: string[] = [];
  for (const queue of ['a', 'b', 'c', 'd'])
    jobs.define(defineJob(`test.${queue}`, z.object({})), async () => void seen.push(queue), queue);
  await jobs.start();
  await on.db.transaction(async (tx) => {
    for (const queue of ['a', 'b', 'c', 'd']) await jobs.add(tx, defineJob(`test.${queue}`, z.object({})), {});
  });
  await vi.waitFor(() => expect(seen.sort()).toEqual(['a', 'b', 'c', 'd']), { timeout: 30_000 });
  await vi.waitFor(() => expect(on.db.pool.idleCount).toBe(on.db.pool.totalCount), { timeout: 30_000 });
  await jobs.stop();
});

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type Database, openDatabase } from './db.ts';
import { createJobs, type Jobs, job } from './jobs.ts';
import { watchPools } from './jobs-liveness.ts';
import { createLogger } from './log.ts';

const log = createLogger({ level: 'silent', isPretty: false });
const LOOK_MS = 50;
/** A cut connection is back before the pool counts as gone, also on a busy machine. */
const CUT_LOOK_MS = 700;
/** The looks of the pools that run jobs. */
const RUN_LOOK_MS = 400;
const heldJob = job('test.held', z.object({ name: z.string() }));
const folder = fileURLToPath(new URL('.', import.meta.url));
/** Several times as long as it takes to consider a pool gone. */
const HELD_MS = 8 * RUN_LOOK_MS;

let database: TestDatabase;
let db: Database;
const ended: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await testDatabase();
  db = openDatabase(database.url);
});
afterAll(async () => {
  for (const end of ended) await end();
  await db.close();
  await database.drop();
});

async function processOf(on: { url: string; db: Database }, runs: string[], until: Promise<unknown>) {
  const jobs = createJobs(on.url, () => on.db, log, { concurrency: 2, lookMs: RUN_LOOK_MS });
  jobs.define(heldJob, async ({ name }) => {
    runs.push(name);
    await until;
  });
  await jobs.start();
  return jobs;
}

async function another() {
  const own = await testDatabase();
  const opened = openDatabase(own.url);
  ended.push(async () => {
    await opened.close();
    await own.drop();
  });
  return { url: own.url, db: opened };
}

async function left(on: Database): Promise<number> {
  return (await on.pool.query('select 1 from graphile_worker._private_jobs')).rows.length;
}

async function lockedBy(pool: string): Promise<() => Promise<boolean>> {
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
const aFewLooks = () => sleep(LOOK_MS * 8);
async function holders(): Promise<number[]> {
  const { rows } = await db.pool.query<{ pid: number }>(
    `select distinct pid from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

it('a job of a live pool stays locked and is released once the pool is gone', async () => {
  const theirs = watchPools(database.url, log, LOOK_MS);
  theirs.add('pool-there');
  const ours = watchPools(database.url, log, LOOK_MS);
  ours.add('pool-here');
  await expect.poll(async () => (await holders()).length).toBe(2);
  const isHeld = await lockedBy('pool-there');
  const isOursHeld = await lockedBy('pool-here');
  await aFewLooks();
  expect([await isHeld(), await isOursHeld()]).toEqual([true, true]);
  await theirs.stop();
  await expect.poll(isHeld).toBe(false);
  expect(await isOursHeld()).toBe(true);
  ours.remove('pool-here');
  await expect.poll(isOursHeld).toBe(false);
  await ours.stop();
});

it('jobs stay locked when the connection of their pool is cut repeatedly', async () => {
  const ours = watchPools(database.url, log, CUT_LOOK_MS);
  const others = watchPools(database.url, log, CUT_LOOK_MS);
  ours.add('pool-cut');
  await expect.poll(async () => (await holders()).length).toBe(1);
  const isHeld = await lockedBy('pool-cut');
  for (let times = 0; times < 2; times += 1) {
    const [cut] = await holders();
    await db.pool.query('select pg_terminate_backend($1, 10000)', [cut]);
    await expect.poll(async () => (await holders()).filter((pid) => pid !== cut).length).toBe(1);
  }
  await sleep(4 * CUT_LOOK_MS);
  expect(await isHeld()).toBe(true);
  await ours.stop();
  await expect.poll(isHeld).toBe(false);
  await others.stop();
});

it('a job that outlasts the liveness checks runs once, in one process and in two', {
  timeout: 60_000,
}, async () => {
  const { promise: until, resolve: end } = Promise.withResolvers<void>();
  const places = [await another(), await another()];
  const runs: string[][] = [[], []];
  const started: Jobs[] = [];
  for (const [index, place] of places.entries())
    for (let processes = 0; processes <= index; processes += 1)
      started.push(await processOf(place, runs[index] ?? [], until));
  for (const [index, place] of places.entries())
    for (const name of ['first', 'second', 'third'].slice(0, 2 + index))
      await started[0]?.add(place.db, heldJob, { name });
  await vi.waitFor(() => expect(runs.map((names) => names.length)).toEqual([2, 3]), { timeout: 30_000 });
  await sleep(HELD_MS);
  end();
  await vi.waitFor(async () => expect(await Promise.all(places.map((place) => left(place.db)))).toEqual([0, 0]), {
    timeout: 30_000,
  });
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
  const place = await another();
  const script = `
    const { createJobs, job } = await import('${folder}jobs.ts');
    const { openDatabase } = await import('${folder}db.ts');
    const { createLogger } = await import('${folder}log.ts');
    const z = await import('zod/mini');
    const db = openDatabase(process.env.DATABASE_URL);
    const jobs = createJobs(process.env.DATABASE_URL, () => db, createLogger({ level: 'silent', isPretty: false }), { concurrency: 2, lookMs: ${RUN_LOOK_MS} });
    jobs.define(job('test.held', z.object({ name: z.string() })), async () => {
      process.stdout.write('held');
      await new Promise(() => setInterval(() => undefined, 1000));
    });
    await jobs.start();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: place.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const isHeld = new Promise((resolve) => child.stdout.once('data', resolve));
  const asker = createJobs(place.url, () => place.db, log, { concurrency: 1 });
  await asker.add(place.db, heldJob, { name: 'of one that is gone' });
  await isHeld;

  const runs: string[] = [];
  const survivor = await processOf(place, runs, Promise.resolve());
  await sleep(5 * RUN_LOOK_MS);
  expect(runs).toEqual([]);
  child.kill(signal);
  await vi.waitFor(() => expect(runs).toEqual(['of one that is gone']), { timeout: 30_000, interval: 50 });
  await expect.poll(() => left(place.db)).toBe(0);
  child.kill('SIGKILL');
  await gone;
  await survivor.stop();
});

it('queues that wait for jobs use no connections of the application pool', async () => {
  const on = await another();
  const jobs = createJobs(on.url, () => on.db, log, { concurrency: 2 });
  const seen: string[] = [];
  for (const lane of ['a', 'b', 'c', 'd'])
    jobs.define(job(`test.${lane}`, z.object({})), async () => void seen.push(lane), lane);
  await jobs.start();
  await on.db.transaction(async (tx) => {
    for (const lane of ['a', 'b', 'c', 'd']) await jobs.add(tx, job(`test.${lane}`, z.object({})), {});
  });
  await vi.waitFor(() => expect(seen.sort()).toEqual(['a', 'b', 'c', 'd']), { timeout: 30_000 });
  await vi.waitFor(() => expect(on.db.pool.idleCount).toBe(on.db.pool.totalCount), { timeout: 30_000 });
  await jobs.stop();
});

/** Jobs of the living are left alone, those of the dead are taken up. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { watchWorkers } from './jobs-liveness.ts';
import { createLogger } from './log.ts';

const log = createLogger({ level: 'silent', isPretty: false });
const LOOK_MS = 50;
let database: TestDatabase;
let here: pg.Pool;
let there: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  here = new pg.Pool({ connectionString: database.url });
  there = new pg.Pool({ connectionString: database.url });
  for (const pool of [here, there]) pool.on('error', () => undefined);
});
afterAll(async () => {
  await Promise.all([here.end(), there.end()]);
  await database.drop();
});

async function heldJob(worker: string, secondsAgo: number): Promise<() => Promise<boolean>> {
  const { rows } = await here.query<{ id: string }>(`select id from graphile_worker.add_job('anything')`);
  const id = rows[0]?.id;
  await here.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - make_interval(secs => $2) where id = $3`,
    [worker, secondsAgo, id],
  );
  return async () => {
    const answer = await here.query(
      'select 1 from graphile_worker._private_jobs where id = $1 and locked_by is not null',
      [id],
    );
    return answer.rows.length > 0;
  };
}
const aFewLooks = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS * 6));

it('waits for a worker that lives elsewhere, and takes its job up once it is gone', async () => {
  const theirs = watchWorkers(there, log, LOOK_MS);
  theirs.add('worker-there');
  await aFewLooks();
  const isHeld = await heldJob('worker-there', 60);
  const ours = watchWorkers(here, log, LOOK_MS);
  ours.add('worker-here');
  const isOursHeld = await heldJob('worker-here', 60);
  await aFewLooks();
  expect([await isHeld(), await isOursHeld()]).toEqual([true, true]);
  await theirs.stop();
  await vi.waitFor(async () => expect(await isHeld()).toBe(false));
  expect(await isOursHeld()).toBe(true);
  await ours.stop();
});

it('goes on when its connection is cut', async () => {
  const ours = watchWorkers(here, log, LOOK_MS);
  ours.add('worker-cut');
  await aFewLooks();
  await there.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())`,
  );
  const isHeld = await heldJob('worker-long-gone', 60);
  const isYoungHeld = await heldJob('worker-just-made', 0);
  await vi.waitFor(async () => expect(await isHeld()).toBe(false), { timeout: 5_000 });
  expect(await isYoungHeld()).toBe(true);
  const isOursHeld = await heldJob('worker-cut', 60);
  const theirs = watchWorkers(there, log, LOOK_MS);
  await aFewLooks();
  expect(await isOursHeld()).toBe(true);
  await theirs.stop();
  await ours.stop();
});

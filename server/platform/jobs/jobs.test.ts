import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Database, openDatabase } from '../database/db.ts';
import { createLogger } from '../log.ts';
import { createJobs, defineJob, type Jobs } from './jobs.ts';

const cuttingJob = defineJob('test.cutting', z.object({ fails: z.boolean() }));
let database: TestDatabase;
let db: Database;
let jobs: Jobs;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  jobs = createJobs(database.url, () => db, createLogger({ level: 'silent', isPretty: false }), { concurrency: 2 });
});
afterAll(async () => {
  await jobs.stop();
  await db.close();
  await database.drop();
});

const rows = async () => (await db.pool.query('select attempts, last_error from graphile_worker._private_jobs')).rows;

it('jobs are handed back after all job connections were cut, whether they failed or not', async () => {
  const ran: boolean[] = [];
  jobs.define(cuttingJob, async ({ fails }) => {
    ran.push(fails);
    await db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stagedoor-jobs' and datname = current_database()`,
    );
    if (fails) throw new Error('as it was meant to');
  });
  await jobs.start();
  await db.transaction(async (tx) => {
    await jobs.add(tx, cuttingJob, { fails: false });
    await jobs.add(tx, cuttingJob, { fails: true }, { maxAttempts: 1 });
  });
  const failed = [{ attempts: 1, last_error: expect.stringContaining('as it was meant to') }];
  await vi.waitFor(async () => expect([ran.toSorted(), await rows()]).toEqual([[false, true], failed]), {
    timeout: 30_000,
    interval: 50,
  });
});

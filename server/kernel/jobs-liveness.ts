/**
 * Jobs of a process that was killed are taken up by others within seconds. graphile-worker itself gives them back after
 * four hours. Every worker that lives holds an advisory lock of the database, which a killed process loses at once; a job
 * held by a worker whose lock is free is released.
 */
import type { Pool, PoolClient } from 'pg';
import type { Logger } from './log.ts';

/** The advisory locks' first key; any constant of our own. */
const SPACE = 7_203_115;
const LOOK_MS = 10_000;
/** A worker takes its lock right after it was made, but not at the same instant. */
const YOUNG = '5 seconds';

const HELD = `select distinct locked_by from graphile_worker._private_jobs
  where locked_by is not null and locked_by <> all($1::text[]) and locked_at < now() - interval '${YOUNG}'`;

export type Liveness = { add(workerId: string): void; stop(): Promise<void> };

/** Begins to look, every `lookMs`; `add` is told of each worker of this process. */
export function watchWorkers(pool: Pool, log: Logger, lookMs = LOOK_MS): Liveness {
  const own: string[] = [];
  let client: PoolClient | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  function drop(which: PoolClient | undefined): void {
    if (!which || client !== which) return;
    client = undefined;
    which.release(true);
  }

  async function connected(): Promise<PoolClient> {
    if (client) return client;
    const fresh = await pool.connect();
    // A connection that is cut says so more than once.
    fresh.on('error', () => drop(fresh));
    client = fresh;
    for (const id of own) await fresh.query('select pg_advisory_lock($1, hashtext($2))', [SPACE, id]);
    return fresh;
  }

  async function look(): Promise<void> {
    const db = await connected();
    const { rows } = await db.query<{ locked_by: string }>(HELD, [own]);
    for (const { locked_by: id } of rows) {
      const { rows: tried } = await db.query<{ is_free: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as is_free',
        [SPACE, id],
      );
      if (!tried[0]?.is_free) continue;
      await db.query('select graphile_worker.force_unlock_workers(array[$1])', [id]);
      await db.query('select pg_advisory_unlock($1, hashtext($2))', [SPACE, id]);
      log.warn(`jobs of a worker that is gone are taken up again (${id})`);
    }
  }

  /** One thing at a time on the one connection. */
  function queue(work: () => Promise<void>): void {
    running = running
      .then(() => (isStopped ? undefined : work()))
      .catch((error: unknown) => {
        drop(client);
        log.warn(`workers could not be watched: ${error instanceof Error ? error.message : 'failed'}`);
      });
  }

  const timer = setInterval(() => queue(look), lookMs);
  timer.unref();
  queue(look);
  return {
    add: (workerId) => {
      own.push(workerId);
      queue(async () => {
        if (client) await client.query('select pg_advisory_lock($1, hashtext($2))', [SPACE, workerId]);
        else await connected();
      });
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
      // Closing the connection gives the locks back.
      drop(client);
    },
  };
}

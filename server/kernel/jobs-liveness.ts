/**
 * Releases the jobs of dead processes within seconds, whereas graphile-worker takes four hours. It locks jobs by the id
 * of the worker pool that runs them (`locked_by`). Every live pool holds an advisory lock of the database, which a
 * killed process loses at once. A frozen process keeps its connection until the database ends it after an idle timeout.
 */
import pg from 'pg';
import type { Logger } from './log.ts';

const SPACE = 7_203_115;
const LOOK_MS = 3_000;
/** A pool is gone when its lock is free this many times in a row. That leaves time to reconnect. */
const LOOKS = 3;
const PATIENCE_MS = 10_000;
/** A process that skips this many checks is frozen. */
const SILENT_LOOKS = 7;

// Shared locks never block, neither on hash collisions nor on a lost connection that the database has not closed.
const HOLD = 'select pg_advisory_lock_shared($1, hashtext(id)) from unnest($2::text[]) id';
const LET_GO = 'select pg_advisory_unlock_shared($1, hashtext($2))';
const GONE = `select distinct j.locked_by as id from graphile_worker._private_jobs j
  where j.locked_by is not null and not exists (
    select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid = $1::oid
      and l.objid = (hashtext(j.locked_by)::bigint & 4294967295)::oid
      and l.database = (select oid from pg_database where datname = current_database()))`;
const RELEASE = 'select graphile_worker.force_unlock_workers($1::text[])';
/** Keeps jobs locked that run longer than graphile-worker's four hours. */
const RENEW = `update graphile_worker._private_jobs set locked_at = now()
  where locked_by = any($1::text[]) and locked_at < now() - interval '1 hour'`;
const RENEW_MS = 10 * 60_000;

export type Liveness = { add(poolId: string): void; remove(poolId: string): void; stop(): Promise<void> };

export function watchPools(url: string, log: Logger, lookMs = LOOK_MS): Liveness {
  const silentMs = lookMs * SILENT_LOOKS;
  const own = new Set<string>();
  const held = new Set<string>();
  let missed = new Map<string, number>();
  let client: pg.Client | undefined;
  let running: Promise<void> = Promise.resolve();
  let renewedAt = performance.now();
  let isStopped = false;

  function drop(which: pg.Client | undefined): void {
    if (!which || client !== which) return;
    client = undefined;
    held.clear();
    // Others may have lost their locks too, so earlier checks do not count.
    missed = new Map();
    which.end().catch(() => undefined);
  }

  async function connected(): Promise<pg.Client> {
    if (client) return client;
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'stagedoor-jobs',
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    const again = () => {
      if (client !== fresh) return;
      drop(fresh);
      queue(hold);
    };
    fresh.on('error', again).on('end', again);
    client = fresh;
    await fresh.connect();
    await fresh.query(`set idle_session_timeout = ${Math.max(silentMs, 1_000)}`);
    return fresh;
  }

  async function hold(): Promise<void> {
    const db = await connected();
    const missing = [...own].filter((id) => !held.has(id));
    if (missing.length === 0) return;
    await db.query(HOLD, [SPACE, missing]);
    for (const id of missing) held.add(id);
  }

  async function look(): Promise<void> {
    await hold();
    const db = await connected();
    if (performance.now() - renewedAt > RENEW_MS) {
      renewedAt = performance.now();
      await db.query(RENEW, [[...own]]);
    }
    const { rows } = await db.query<{ id: string }>(GONE, [SPACE]);
    missed = new Map(rows.map(({ id }) => [id, (missed.get(id) ?? 0) + 1]));
    const gone = [...missed].flatMap(([id, times]) => (times >= LOOKS ? [id] : []));
    if (gone.length === 0) return;
    await db.query(RELEASE, [gone]);
    log.warn(`jobs of workers that are gone are taken up again (${gone.join(', ')})`);
  }

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
    add: (poolId) => {
      own.add(poolId);
      queue(hold);
    },
    remove: (poolId) => {
      own.delete(poolId);
      queue(async () => {
        if (held.delete(poolId)) await client?.query(LET_GO, [SPACE, poolId]);
      });
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

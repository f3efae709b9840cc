/**
 * Releases the jobs of dead processes within seconds, whereas graphile-worker takes four hours. It locks jobs by the id
 * of the worker pool that runs them (`locked_by`). Every live pool holds an advisory lock of the database, which a
 * killed process loses at once. A frozen process keeps its connection until the database ends it after an idle timeout.
 */
import pg from 'pg';
import type { Logger } from '../log.ts';

const LOCK_SPACE = 7_203_115;
const CHECK_MS = 3_000;
/** A pool is gone when its lock is free this many times in a row. That leaves time to reconnect. */
const MAX_MISSES = 3;
const TIMEOUT_MS = 10_000;
/** A process that skips this many checks is frozen. */
const MAX_SKIPPED_CHECKS = 7;

// Shared locks never block, neither on hash collisions nor on a lost connection that the database has not closed.
const LOCK = 'select pg_advisory_lock_shared($1, hashtext(id)) from unnest($2::text[]) id';
const UNLOCK = 'select pg_advisory_unlock_shared($1, hashtext($2))';
const FIND_DEAD_POOLS = `select distinct j.locked_by as id from graphile_worker._private_jobs j
  where j.locked_by is not null and not exists (
    select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid = $1::oid
      and l.objid = (hashtext(j.locked_by)::bigint & 4294967295)::oid
      and l.database = (select oid from pg_database where datname = current_database()))`;
const RELEASE = 'select graphile_worker.force_unlock_workers($1::text[])';
/** Keeps jobs locked that run longer than graphile-worker's four hours. */
const RENEW = `update graphile_worker._private_jobs set locked_at = now()
  where locked_by = any($1::text[]) and locked_at < now() - interval '1 hour'`;
const RENEW_MS = 10 * 60_000;

export type PoolLiveness = { add(poolId: string): void; remove(poolId: string): void; stop(): Promise<void> };

export function watchPools(url: string, log: Logger, checkMs = CHECK_MS): PoolLiveness {
  const idleTimeoutMs = checkMs * MAX_SKIPPED_CHECKS;
  const ownIds = new Set<string>();
  const lockedIds = new Set<string>();
  let misses = new Map<string, number>();
  let client: pg.Client | undefined;
  let running: Promise<void> = Promise.resolve();
  let renewedAt = performance.now();
  let isStopped = false;

  function dropClient(broken: pg.Client | undefined): void {
    if (!broken || client !== broken) return;
    client = undefined;
    lockedIds.clear();
    // Others may have lost their locks too, so earlier checks do not count.
    misses = new Map();
    broken.end().catch(() => undefined);
  }

  async function getClient(): Promise<pg.Client> {
    if (client) return client;
    const newClient = new pg.Client({
      connectionString: url,
      application_name: 'stagedoor-jobs',
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    const reconnect = () => {
      if (client !== newClient) return;
      dropClient(newClient);
      enqueue(lockOwnPools);
    };
    newClient.on('error', reconnect).on('end', reconnect);
    client = newClient;
    await newClient.connect();
    await newClient.query(`set idle_session_timeout = ${Math.max(idleTimeoutMs, 1_000)}`);
    return newClient;
  }

  async function lockOwnPools(): Promise<void> {
    const db = await getClient();
    const missing = [...ownIds].filter((id) => !lockedIds.has(id));
    if (missing.length === 0) return;
    await db.query(LOCK, [LOCK_SPACE, missing]);
    for (const id of missing) lockedIds.add(id);
  }

  async function checkPools(): Promise<void> {
    await lockOwnPools();
    const db = await getClient();
    if (performance.now() - renewedAt > RENEW_MS) {
      renewedAt = performance.now();
      await db.query(RENEW, [[...ownIds]]);
    }
    const { rows } = await db.query<{ id: string }>(FIND_DEAD_POOLS, [LOCK_SPACE]);
    misses = new Map(rows.map(({ id }) => [id, (misses.get(id) ?? 0) + 1]));
    const deadPools = [...misses].flatMap(([id, count]) => (count >= MAX_MISSES ? [id] : []));
    if (deadPools.length === 0) return;
    await db.query(RELEASE, [deadPools]);
    log.warn(`jobs of workers that are gone are taken up again (${deadPools.join(', ')})`);
  }

  function enqueue(work: () => Promise<void>): void {
    running = running
      .then(() => (isStopped ? undefined : work()))
      .catch((error: unknown) => {
        dropClient(client);
        log.warn(`workers could not be watched: ${error instanceof Error ? error.message : 'failed'}`);
      });
  }

  const timer = setInterval(() => enqueue(checkPools), checkMs);
  timer.unref();
  enqueue(checkPools);
  return {
    add: (poolId) => {
      ownIds.add(poolId);
      enqueue(lockOwnPools);
    },
    remove: (poolId) => {
      ownIds.delete(poolId);
      enqueue(async () => {
        if (lockedIds.delete(poolId)) await client?.query(UNLOCK, [LOCK_SPACE, poolId]);
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

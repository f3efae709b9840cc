/** Questions of whoever watches the process from outside, answered in time even when what is asked about hangs. */
import type pg from 'pg';

/** Watchers give up after two seconds, and then know nothing. */
const PROBE_MS = 1_500;

/** A check that is run once however many ask meanwhile. What is answered rejects when it fails or takes longer than 1.5 s. */
export function createProbe(check: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  return async () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const limit = setTimeout(() => reject(new Error(`no answer in ${PROBE_MS} ms`)), PROBE_MS);
    try {
      await Promise.race([running, late]);
    } finally {
      clearTimeout(limit);
    }
  };
}

/** Throws unless the database answers, jobs included. A connection that does not is given up, so that the next check takes another. */
export async function askDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let release = (isBroken: boolean) => {
    release = () => undefined;
    client.release(isBroken);
  };
  const limit = setTimeout(() => release(true), PROBE_MS);
  try {
    await client.query('select 1 from graphile_worker.jobs limit 1');
    release(false);
  } finally {
    clearTimeout(limit);
    release(true);
  }
}

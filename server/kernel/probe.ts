/** Health checks that respond in time even if the checked service hangs. */
import type pg from 'pg';

const PROBE_MS = 1_500;

/** Runs a check once for all concurrent callers. Rejects when it fails or takes longer than 1.5 s. */
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

/**
 * Throws unless the database responds, jobs included. A connection without response is discarded, so that the next
 * check uses another.
 */
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

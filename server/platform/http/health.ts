/** Health checks that respond in time even if the checked service hangs. */
import type pg from 'pg';

const TIMEOUT_MS = 1_500;

/** Runs a check once for all concurrent callers. Rejects when it fails or takes longer than 1.5 s. */
export function createHealthCheck(check: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  return async () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`no answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    try {
      await Promise.race([running, timedOut]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Throws unless the database responds, jobs included. A connection without response is discarded, so that the next
 * check uses another.
 */
export async function checkDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let release = (isBroken: boolean) => {
    release = () => undefined;
    client.release(isBroken);
  };
  const timer = setTimeout(() => release(true), TIMEOUT_MS);
  try {
    await client.query('select 1 from graphile_worker.jobs limit 1');
    release(false);
  } finally {
    clearTimeout(timer);
    release(true);
  }
}

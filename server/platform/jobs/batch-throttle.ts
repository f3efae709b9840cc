/** Pauses between batches, so that other requests can use the database. */
import { setTimeout as sleep } from 'node:timers/promises';

const FACTOR = 2;
const MAX_MS = 500;

export async function pauseBetweenBatches(workedMs: number, signal?: AbortSignal): Promise<void> {
  if (!signal?.aborted) await sleep(Math.min(workedMs * FACTOR, MAX_MS), undefined, { signal }).catch(() => undefined);
}

/** Runs a step that returns its progress, or null at the end. Pauses unless it was the last one. */
export async function runThrottledStep(
  signal: AbortSignal | undefined,
  step: () => Promise<string | null>,
): Promise<string | null> {
  const startedAt = performance.now();
  const next = await step();
  if (next !== null) await pauseBetweenBatches(performance.now() - startedAt, signal);
  return next;
}

/** Pauses between batches, so that other requests can use the database. */
import { setTimeout as sleep } from 'node:timers/promises';

const FACTOR = 2;
const MOST_MS = 500;

export async function rest(workedMs: number, signal?: AbortSignal): Promise<void> {
  if (!signal?.aborted) await sleep(Math.min(workedMs * FACTOR, MOST_MS), undefined, { signal }).catch(() => undefined);
}

/** Runs a step that returns its progress, or null at the end. Pauses unless it was the last one. */
export async function restingStep(
  signal: AbortSignal | undefined,
  step: () => Promise<string | null>,
): Promise<string | null> {
  const begun = performance.now();
  const next = await step();
  if (next !== null) await rest(performance.now() - begun, signal);
  return next;
}

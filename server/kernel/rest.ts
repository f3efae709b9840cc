/** Between the steps of work for many people nothing is done for a while: what others ask of the database meanwhile goes on beside it. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A rest is so many times as long as the work before it took, */
const FACTOR = 2;
/** and no longer than this. */
const MOST_MS = 500;

/** Rests after work that took so long; one that drains goes on at once. */
export async function rest(workedMs: number, signal?: AbortSignal): Promise<void> {
  if (!signal?.aborted) await sleep(Math.min(workedMs * FACTOR, MOST_MS), undefined, { signal }).catch(() => undefined);
}

/** A step that answers where to go on, or null at the end, with a rest after each but the last. */
export async function restingStep(
  signal: AbortSignal | undefined,
  step: () => Promise<string | null>,
): Promise<string | null> {
  const begun = performance.now();
  const next = await step();
  if (next !== null) await rest(performance.now() - begun, signal);
  return next;
}

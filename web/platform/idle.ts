const MAX_WAIT_MS = 2_000;
const FALLBACK_MS = 300;

/** Runs `work` when the browser is idle, after two seconds at the latest. Returns the function that cancels it. */
export function runWhenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, FALLBACK_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(handle);
}

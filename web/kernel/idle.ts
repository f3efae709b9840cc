const AT_MOST_MS = 2_000;
const WITHOUT_SUPPORT_MS = 300;

/** Runs `work` when the browser is idle, after two seconds at the latest. Returns the function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, WITHOUT_SUPPORT_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: AT_MOST_MS });
  return () => cancelIdleCallback(handle);
}

/** Work that may wait until the page has nothing else to do. */

const AT_MOST_MS = 2_000;
const WITHOUT_SUPPORT_MS = 300;

/** Runs `work` when the browser is idle, at the latest after two seconds. Answers the function that calls it off. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, WITHOUT_SUPPORT_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: AT_MOST_MS });
  return () => cancelIdleCallback(handle);
}

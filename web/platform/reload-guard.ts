/** Tracks work that a page reload must not interrupt, such as an upload or a call. */
const checks = new Set<() => boolean>();

/** Registers work that runs while `isRunning` returns true. Returns the function that removes it. */
export function blockReloadWhile(isRunning: () => boolean): () => void {
  checks.add(isRunning);
  return () => void checks.delete(isRunning);
}

export async function blockReloadDuring<T>(work: () => Promise<T>): Promise<T> {
  const stop = blockReloadWhile(() => true);
  try {
    return await work();
  } finally {
    stop();
  }
}

export function isReloadBlocked(): boolean {
  return [...checks].some((isRunning) => isRunning());
}

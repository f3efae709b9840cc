/** Tracks work that a page reload must not interrupt, such as an upload or a call. */
const reasons = new Set<() => boolean>();

/** Registers work that runs while `isGoingOn` returns true. Returns the function that removes it. */
export function busyWhile(isGoingOn: () => boolean): () => void {
  reasons.add(isGoingOn);
  return () => void reasons.delete(isGoingOn);
}

export async function busyDuring<T>(work: () => Promise<T>): Promise<T> {
  const end = busyWhile(() => true);
  try {
    return await work();
  } finally {
    end();
  }
}

export function isBusy(): boolean {
  return [...reasons].some((isGoingOn) => isGoingOn());
}

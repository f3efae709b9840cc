/** What may not be broken off, by the rooms that know of it: an upload, a call. Whoever would load the page anew asks first. */
const reasons = new Set<() => boolean>();

/** Told from now on of whatever goes on while `isGoingOn` says so. Answers the function that ends it. */
export function busyWhile(isGoingOn: () => boolean): () => void {
  reasons.add(isGoingOn);
  return () => void reasons.delete(isGoingOn);
}

/** The same for one piece of work. */
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

/** What any call may find out and the app's frame answers: the session is gone, the account is blocked (row A12), there is something to say. */
type Signal = 'unauthorized' | 'blocked' | 'toast';
const listeners: Record<Signal, Set<() => void>> = { unauthorized: new Set(), blocked: new Set(), toast: new Set() };

/** Answers the function that stops listening. */
export function onSignal(signal: Signal, listener: () => void): () => void {
  listeners[signal].add(listener);
  return () => void listeners[signal].delete(listener);
}

export function signal(which: Signal): void {
  for (const listener of listeners[which]) listener();
}

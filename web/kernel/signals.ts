/**
 * What any call may find out and the app's frame answers: the session is gone, the account is blocked (row A12), there is something
 * to say. `call`: there is a call to show. And `leaving`: from now on nothing of the person is kept on this device.
 */
type Signal = 'unauthorized' | 'blocked' | 'toast' | 'call' | 'leaving';
const listeners: Record<Signal, Set<() => void>> = {
  unauthorized: new Set(),
  blocked: new Set(),
  toast: new Set(),
  call: new Set(),
  leaving: new Set(),
};

/** Answers the function that stops listening. */
export function onSignal(signal: Signal, listener: () => void): () => void {
  listeners[signal].add(listener);
  return () => void listeners[signal].delete(listener);
}

export function signal(which: Signal): void {
  for (const listener of listeners[which]) listener();
}

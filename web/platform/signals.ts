/**
 * Signals from any call to the app's frame: the session has ended, the account is blocked (row A12), or a toast is
 * pending. `call`: a call must be shown. `leaving`: from now on no user data may be stored on this device.
 */
type Signal = 'unauthorized' | 'blocked' | 'toast' | 'call' | 'leaving';
const listeners: Record<Signal, Set<() => void>> = {
  unauthorized: new Set(),
  blocked: new Set(),
  toast: new Set(),
  call: new Set(),
  leaving: new Set(),
};

/** Returns the function that unsubscribes. */
export function onSignal(kind: Signal, listener: () => void): () => void {
  listeners[kind].add(listener);
  return () => void listeners[kind].delete(listener);
}

export function emitSignal(kind: Signal): void {
  for (const listener of listeners[kind]) listener();
}

import { AsyncLocalStorage } from 'node:async_hooks';

export type Asking = {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly network: string;
  readonly isServed?: boolean;
};

const current = new AsyncLocalStorage<Asking | undefined>();

export function whoAsks(): Asking | undefined {
  return current.getStore();
}

/**
 * Runs work on behalf of a caller. Without a caller it belongs to no request, for example work that a request triggers
 * without waiting for it.
 */
export function askedBy<T>(who: Asking | undefined, work: () => T): T {
  return current.run(who, work);
}

import { AsyncLocalStorage } from 'node:async_hooks';

export type Requester = {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly network: string;
  readonly hasSlot?: boolean;
};

const current = new AsyncLocalStorage<Requester | undefined>();

export function findRequester(): Requester | undefined {
  return current.getStore();
}

/**
 * Runs work on behalf of a caller. Without a caller it belongs to no request, for example work that a request triggers
 * without waiting for it.
 */
export function runAs<T>(requester: Requester | undefined, work: () => T): T {
  return current.run(requester, work);
}

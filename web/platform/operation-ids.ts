/**
 * Operation ids (`Idempotency-Key`). An id is reused until the result is known, so that a double click or a retry after
 * a lost connection is the same operation for the server.
 */
import { ApiError } from './api-error.ts';

export interface OperationIds {
  getId(request: unknown): string;
  markSucceeded(request: unknown): void;
  /** The request failed. The id is reused only if the operation may have been carried out. */
  markFailed(request: unknown, error: unknown): void;
}

export function createOperationIds(createId: () => string = () => crypto.randomUUID()): OperationIds {
  const idByKey = new Map<string, string>();
  const toKey = (request: unknown) => JSON.stringify(request) ?? '';
  return {
    getId: (request) => {
      const key = toKey(request);
      const id = idByKey.get(key) ?? createId();
      idByKey.set(key, id);
      return id;
    },
    markSucceeded: (request) => void idByKey.delete(toKey(request)),
    markFailed: (request, error) => {
      if (error instanceof ApiError && !error.isUncertain) idByKey.delete(toKey(request));
    },
  };
}

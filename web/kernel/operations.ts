/**
 * Operation ids (`Idempotency-Key`). An id is reused until the result is known, so that a double click or a retry after
 * a lost connection is the same operation for the server.
 */
import { ApiError } from './api-error.ts';

export interface Operations {
  idFor(request: unknown): string;
  succeeded(request: unknown): void;
  /** The request failed. The id is kept only if the operation may have been carried out. */
  failed(request: unknown, error: unknown): void;
}

export function createOperations(makeId: () => string = () => crypto.randomUUID()): Operations {
  const kept = new Map<string, string>();
  const keyOf = (request: unknown) => JSON.stringify(request) ?? '';
  return {
    idFor: (request) => {
      const key = keyOf(request);
      const id = kept.get(key) ?? makeId();
      kept.set(key, id);
      return id;
    },
    succeeded: (request) => void kept.delete(keyOf(request)),
    failed: (request, error) => {
      if (error instanceof ApiError && !error.isUncertain) kept.delete(keyOf(request));
    },
  };
}

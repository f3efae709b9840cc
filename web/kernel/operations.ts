/**
 * Operation ids (`Idempotency-Key`): made before sending and kept until the outcome is known, so that a double click or a
 * try after a lost connection is the same operation to the server.
 */
import { ApiError } from './api-error.ts';

export interface Operations {
  /** The id for this exact request: the kept one, or a new one. */
  idFor(request: unknown): string;
  /** The request succeeded: the next alike is a new operation. */
  succeeded(request: unknown): void;
  /** It failed; the id is kept only while it may have been carried out all the same. */
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

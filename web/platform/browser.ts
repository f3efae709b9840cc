import { type DehydratedState, dehydrate, hydrate, QueryCache, type QueryClient } from '@tanstack/react-query';
import { createQueryClient } from './query.ts';

export const CACHE_ELEMENT = 'cache';
let readAt = 0;
let sharedClient: QueryClient | undefined;
let reportError: ((error: unknown) => void) | undefined;

/** Sets the handler for failed queries. The app calls it once. */
export function onQueryError(report: (error: unknown) => void): void {
  reportError = report;
}

/** The server's time before it read the data of the first page, in ms. */
export function getReadAt(): number {
  return readAt;
}

function isDehydratedState(value: unknown): value is DehydratedState & { readAt?: number } {
  return typeof value === 'object' && value !== null && 'queries' in value;
}

export function getBrowserClient(): QueryClient {
  if (sharedClient) return sharedClient;
  sharedClient = createQueryClient();
  sharedClient.getQueryCache().config = { ...new QueryCache().config, onError: (error) => reportError?.(error) };
  const text = document.getElementById(CACHE_ELEMENT)?.textContent;
  const state: unknown = text ? JSON.parse(text) : undefined;
  if (isDehydratedState(state)) {
    hydrate(sharedClient, state);
    readAt = state.readAt ?? 0;
  }
  return sharedClient;
}

/** Serializes the cache as JSON that is safe inside a script element. */
export function serializeCache(client: QueryClient, readAt: number): string {
  return JSON.stringify({ ...dehydrate(client), readAt }).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

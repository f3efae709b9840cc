import { type DehydratedState, dehydrate, hydrate, QueryCache, type QueryClient } from '@tanstack/react-query';
import { createQueryClient } from './query.ts';

export const CACHE_ELEMENT = 'cache';
let only: QueryClient | undefined;
let reportError: ((error: unknown) => void) | undefined;

/** Sets the handler for failed queries. The app calls it once. */
export function onQueryError(report: (error: unknown) => void): void {
  reportError = report;
}

function isState(value: unknown): value is DehydratedState {
  return typeof value === 'object' && value !== null && 'queries' in value;
}

export function browserClient(): QueryClient {
  if (only) return only;
  only = createQueryClient();
  only.getQueryCache().config = { ...new QueryCache().config, onError: (error) => reportError?.(error) };
  const text = document.getElementById(CACHE_ELEMENT)?.textContent;
  const state: unknown = text ? JSON.parse(text) : undefined;
  if (isState(state)) hydrate(only, state);
  return only;
}

/** Serializes the cache as JSON that is safe inside a script element. */
export function cacheText(client: QueryClient): string {
  return JSON.stringify(dehydrate(client)).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

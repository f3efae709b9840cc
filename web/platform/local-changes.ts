/**
 * Events and optimistic updates change cached data in the browser. A response that the server read before such a change
 * would undo it, so it is set aside and the query is fetched again: after the change, and after the writes that were
 * pending with it.
 */
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';

/** After this long a change counts as confirmed, so that a slow upload does not hold back every refetch. */
const CONFIRM_MS = 10_000;

let pendingWrites = 0;
const settledListeners = new Set<() => void>();

/** Counts a request that changes data until it settles. */
export async function trackWrite<T>(send: () => Promise<T>): Promise<T> {
  pendingWrites += 1;
  try {
    return await send();
  } finally {
    pendingWrites -= 1;
    if (pendingWrites === 0) for (const listener of settledListeners) listener();
  }
}

type LocalChange = { readonly data: unknown; readonly at: number };

function isInfinite(data: unknown): data is InfiniteData<unknown> {
  return typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);
}

/** Restores the changed data. A next page that the response added is preserved. */
function mergeNextPage(changed: unknown, received: unknown): unknown {
  if (!isInfinite(changed) || !isInfinite(received)) return changed;
  const { length } = changed.pages;
  return {
    pages: [...changed.pages, ...received.pages.slice(length)],
    pageParams: [...changed.pageParams, ...received.pageParams.slice(length)],
  };
}

/** Protects the queries of a client. Queries with `mergesEvents` in their `meta` merge changes and responses themselves. */
export function protectLocalChanges(client: QueryClient): void {
  const changes = new Map<Query, LocalChange>();
  const overtakenQueries = new Set<Query>();
  let isRestoring = false;

  const isUnconfirmed = ({ at }: LocalChange) => pendingWrites > 0 && performance.now() - at < CONFIRM_MS;

  function refetchOvertaken(): void {
    for (const query of overtakenQueries) {
      const change = changes.get(query);
      if (change && isUnconfirmed(change)) continue;
      overtakenQueries.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  }
  // The code that awaited the write applies its result first.
  settledListeners.add(() => setTimeout(refetchOvertaken));

  function restore(query: Query, { data }: LocalChange): void {
    isRestoring = true;
    query.setData(mergeNextPage(data, query.state.data), { manual: true, updatedAt: query.state.dataUpdatedAt });
    isRestoring = false;
    overtakenQueries.add(query);
    for (const delayMs of [0, CONFIRM_MS]) setTimeout(refetchOvertaken, delayMs);
  }

  client.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (event.type === 'removed') changes.delete(query);
    if (event.type !== 'updated' || isRestoring || query.meta?.mergesEvents) return;
    const { action } = event;
    const change = changes.get(query);
    if (action.type === 'fetch' && change && !isUnconfirmed(change)) changes.delete(query);
    if (action.type !== 'success') return;
    if (action.manual) changes.set(query, { data: query.state.data, at: performance.now() });
    else if (change) restore(query, change);
  });
}

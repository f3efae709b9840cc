/**
 * Contract routes as TanStack Query options, the same in a loader, a component and a live reducer. On the server each
 * request has a client with its own transport; in the browser there is one client.
 */
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { infiniteQueryOptions, QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { browserTransport, callApi, type Transport } from './api.ts';
import { ApiError, errorOf } from './api-error.ts';
import { isAnothers } from './storage.ts';

const FRESH_MS = 30_000;
const transports = new WeakMap<QueryClient, Transport>();
export const apiBase: string = import.meta.env?.VITE_API_URL ?? '';
const byFetch = browserTransport(apiBase);

/** In the browser. A change from a page of somebody who is not logged in any more, as another is now, ends as where nobody is. */
export const fetchTransport: Transport = async (call) => {
  if (call.method !== 'GET' && isAnothers(globalThis.localStorage)) throw errorOf(401, undefined);
  return byFetch(call);
};

export function transportOf(client: QueryClient): Transport {
  return transports.get(client) ?? fetchTransport;
}

/** A refusal is final; a lost connection is tried twice more. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  return failures < 2 && (!(error instanceof ApiError) || error.code === 'NETWORK' || error.code === 'UNAVAILABLE');
}

/** A cache for one request on the server, or for the whole life of the app in the browser. */
export function createQueryClient(transport?: Transport): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: transport ? false : isWorthAnotherTry,
        ...(transport && { gcTime: Number.POSITIVE_INFINITY }),
      },
      // Offline, a change fails at once and says so: a purchase must not happen by itself when the connection is back.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  if (transport) transports.set(client, transport);
  return client;
}

/** The key that every query of a route begins with. */
export function routeKey(route: RouteSpec): readonly [string] {
  return [`${route.method} ${route.path}`];
}

/** Options of one call: `useQuery(apiQuery(getPost, { params: { id } }))`. `take` says what is kept of what was answered. */
export function apiQuery<R extends RouteSpec>(
  route: R,
  request: RequestOf<R>,
  take: (answer: ResponseOf<R>, client: QueryClient) => ResponseOf<R> = (answer) => answer,
) {
  return queryOptions({
    queryKey: [...routeKey(route), request.params ?? {}, request.query ?? {}] as const,
    queryFn: async ({ client, signal }): Promise<ResponseOf<R>> =>
      take(await callApi(transportOf(client), route, request, typeof window === 'undefined' ? {} : { signal }), client),
  });
}

/** A route that answers pages. */
export type PagedRoute = RouteSpec & { method: 'GET' };

function nextOffsetOf(page: unknown): string | undefined {
  return typeof page === 'object' && page !== null && 'nextOffset' in page && typeof page.nextOffset === 'string'
    ? page.nextOffset
    : undefined;
}

/** Options of an endless list, page after page by `nextOffset`. Without `offset` in the request it begins at the start. */
export function apiInfiniteQuery<R extends PagedRoute>(route: R, request: RequestOf<R>) {
  return infiniteQueryOptions({
    queryKey: [...routeKey(route), request.params ?? {}, request.query ?? {}, 'pages'] as const,
    initialPageParam: '',
    queryFn: ({ client, signal, pageParam }): Promise<ResponseOf<R>> => {
      const query = pageParam === '' ? request.query : { ...(request.query ?? {}), offset: pageParam };
      return callApi(
        transportOf(client),
        route,
        { ...request, query },
        typeof window === 'undefined' ? {} : { signal },
      );
    },
    getNextPageParam: (last) => nextOffsetOf(last),
  });
}

/** The answer of a call that a loader has made; it waits only if none did. */
export function useApi<R extends RouteSpec>(route: R, request: RequestOf<R>): ResponseOf<R> {
  return useSuspenseQuery(apiQuery(route, request)).data;
}

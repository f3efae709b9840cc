/**
 * Contract routes as TanStack Query options for loaders, components and live reducers. On the server each request has
 * its own client and transport. The browser has one client.
 */
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { infiniteQueryOptions, QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { callApi, createBrowserTransport, type Transport } from './api.ts';
import { ApiError, toApiError } from './api-error.ts';
import { localStore } from './browser-storage.ts';
import { protectLocalChanges, trackWrite } from './local-changes.ts';
import { isOtherAccount } from './storage.ts';

const FRESH_MS = 30_000;
const transports = new WeakMap<QueryClient, Transport>();
export const apiBase: string = import.meta.env?.VITE_API_URL ?? '';
const sendByFetch = createBrowserTransport(apiBase);

/** The transport of the browser. If another account has logged in in another tab, a mutation fails as unauthorized. */
export const fetchTransport: Transport = async (call) => {
  if (call.method === 'GET') return sendByFetch(call);
  if (isOtherAccount(localStore)) throw toApiError(401, undefined);
  return trackWrite(() => sendByFetch(call));
};

export function getTransport(client: QueryClient): Transport {
  return transports.get(client) ?? fetchTransport;
}

/** Refusals are final. Network errors are retried twice. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 2 && (!(error instanceof ApiError) || error.code === 'NETWORK' || error.code === 'UNAVAILABLE');
}

export function createQueryClient(transport?: Transport): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: transport ? false : shouldRetry,
        ...(transport && { gcTime: Number.POSITIVE_INFINITY }),
      },
      // While offline a mutation fails immediately, because a purchase must not happen later without the user.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  if (transport) transports.set(client, transport);
  else protectLocalChanges(client);
  return client;
}

/** The common prefix of the query keys of a route. */
export function routeKey(route: RouteSpec): readonly [string] {
  return [`${route.method} ${route.path}`];
}

/**
 * Query options of a call: `useQuery(apiQuery(getPost, { params: { id } }))`. `transform` can change the response before it
 * is cached.
 */
export function apiQuery<R extends RouteSpec>(
  route: R,
  request: RequestOf<R>,
  transform: (response: ResponseOf<R>, client: QueryClient) => ResponseOf<R> = (response) => response,
) {
  return queryOptions({
    queryKey: [...routeKey(route), request.params ?? {}, request.query ?? {}] as const,
    queryFn: async ({ client, signal }): Promise<ResponseOf<R>> =>
      transform(
        await callApi(getTransport(client), route, request, typeof window === 'undefined' ? {} : { signal }),
        client,
      ),
  });
}

export type PagedRoute = RouteSpec & { method: 'GET' };

function findNextOffset(page: unknown): string | undefined {
  return typeof page === 'object' && page !== null && 'nextOffset' in page && typeof page.nextOffset === 'string'
    ? page.nextOffset
    : undefined;
}

/**
 * Query options of an infinite list, paginated by `nextOffset`. Without `offset` in the request it starts at the
 * beginning.
 */
export function apiInfiniteQuery<R extends PagedRoute>(route: R, request: RequestOf<R>) {
  return infiniteQueryOptions({
    queryKey: [...routeKey(route), request.params ?? {}, request.query ?? {}, 'pages'] as const,
    initialPageParam: '',
    queryFn: ({ client, signal, pageParam }): Promise<ResponseOf<R>> => {
      const query = pageParam === '' ? request.query : { ...(request.query ?? {}), offset: pageParam };
      return callApi(
        getTransport(client),
        route,
        { ...request, query },
        typeof window === 'undefined' ? {} : { signal },
      );
    },
    getNextPageParam: (last) => findNextOffset(last),
  });
}

/** Returns the response that a loader has fetched. It suspends only if none did. */
export function useApi<R extends RouteSpec>(route: R, request: RequestOf<R>): ResponseOf<R> {
  return useSuspenseQuery(apiQuery(route, request)).data;
}

/**
 * A page's data, asked for once: on the server in process while the page is rendered, in the browser only for what the
 * cache doesn't hold. A route file has three lines: `const load: PageLoad = …`, `loader`, `clientLoader`.
 */

import { currentUser, type Viewer } from '@stagedoor/contract/accounts.ts';
import { loginPath } from '@stagedoor/contract/addresses.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router';
import { ApiError } from './api-error.ts';
import { browserClient } from './browser.ts';
import { apiQuery } from './query.ts';
import { visitContext } from './visit.ts';

export interface PageRequest {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
  /** `await client.ensureQueryData(apiQuery(…))`; also `ensureInfiniteQueryData`, `prefetchQuery`. */
  readonly client: QueryClient;
  /** Nobody when null. */
  viewer(): Promise<Viewer | null>;
}

/** Fills the cache; what it returns (small, plain) is the page's loader data. */
export type PageLoad<T = unknown> = (page: PageRequest) => Promise<T>;

/** The log-in page that leads back here afterwards. */
export function loginAddress(url: URL): string {
  return loginPath(url.pathname + url.search);
}

/** A loader's failure as the answer the page gives: 404 stays 404, no session leads to the log-in page. */
function asThrown(error: unknown, url: URL): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'UNAUTHORIZED') return redirect(loginAddress(url));
  if (error.code === 'NETWORK') return error;
  return data({ code: error.code, message: error.message, requestId: error.requestId }, { status: error.status });
}

export async function onServer<T>({ context, params, request }: LoaderFunctionArgs, load: PageLoad<T>): Promise<T> {
  const visit = context.get(visitContext);
  const url = new URL(request.url);
  const viewer = async () => (visit.isSignedIn ? visit.client.ensureQueryData(apiQuery(currentUser, {})) : null);
  try {
    return await load({ params, url, client: visit.client, viewer });
  } catch (error) {
    throw asThrown(error, url);
  }
}

export async function inBrowser<T>({ params, request }: ClientLoaderFunctionArgs, load: PageLoad<T>): Promise<T> {
  const client = browserClient();
  const url = new URL(request.url);
  // The app's navigation runs only in a hydrated page, whose viewer the server had put into the cache.
  const viewer = async () => client.getQueryData(apiQuery(currentUser, {}).queryKey) ?? null;
  try {
    return await load({ params, url, client, viewer });
  } catch (error) {
    throw asThrown(error, url);
  }
}

/**
 * What a page needs, already being asked for: waited for on the server, so that it is in the HTML; in the browser only
 * begun, so that the page shows itself at once with its skeleton. What fails there is said where it would have stood.
 */
export async function begin(...asked: Promise<unknown>[]): Promise<void> {
  const all = Promise.all(asked);
  if (typeof window === 'undefined') await all;
  else all.catch(() => undefined);
}

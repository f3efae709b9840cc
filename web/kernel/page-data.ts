/**
 * Loads the data of a page: on the server in-process, in the browser only what the cache lacks. A route file has three
 * lines: `const load: PageLoad = …`, `loader`, `clientLoader`.
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
  readonly client: QueryClient;
  /** Null for visitors. */
  viewer(): Promise<Viewer | null>;
}

/** Fills the cache. Its small, plain return value is the loader data of the page. */
export type PageLoad<T = unknown> = (page: PageRequest) => Promise<T>;

export function loginAddress(url: URL): string {
  return loginPath(url.pathname + url.search);
}

/** Converts a loader error into a response: 404 stays 404, and a missing session redirects to the login page. */
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
  // Client navigation runs only in a hydrated page, whose viewer is already in the cache.
  const viewer = async () => client.getQueryData(apiQuery(currentUser, {}).queryKey) ?? null;
  try {
    return await load({ params, url, client, viewer });
  } catch (error) {
    throw asThrown(error, url);
  }
}

/**
 * Waits for the requests on the server, so that their data is in the HTML. The browser does not wait, so that the page
 * shows its skeleton.
 */
export async function begin(...asked: Promise<unknown>[]): Promise<void> {
  const all = Promise.all(asked);
  if (typeof window === 'undefined') await all;
  else all.catch(() => undefined);
}

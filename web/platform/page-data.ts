/**
 * Loads the data of a page: on the server in-process, in the browser only what the cache lacks. A route file has three
 * lines: `const load: PageLoad = …`, `loader`, `clientLoader`.
 */

import { getCurrentUser, type Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { loginPath } from '@stagedoor/contract/shared/addresses.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router';
import { ApiError } from './api-error.ts';
import { getBrowserClient } from './browser.ts';
import { apiQuery } from './query.ts';
import { requestContextKey } from './request-context.ts';

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
function toRouteError(error: unknown, url: URL): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'UNAUTHORIZED') return redirect(loginAddress(url));
  if (error.code === 'NETWORK') return error;
  return data({ code: error.code, message: error.message, requestId: error.requestId }, { status: error.status });
}

export async function loadOnServer<T>({ context, params, request }: LoaderFunctionArgs, load: PageLoad<T>): Promise<T> {
  const requestContext = context.get(requestContextKey);
  const url = new URL(request.url);
  const viewer = async () =>
    requestContext.isSignedIn ? requestContext.client.ensureQueryData(apiQuery(getCurrentUser, {})) : null;
  try {
    return await load({ params, url, client: requestContext.client, viewer });
  } catch (error) {
    throw toRouteError(error, url);
  }
}

export async function loadInBrowser<T>({ params, request }: ClientLoaderFunctionArgs, load: PageLoad<T>): Promise<T> {
  const client = getBrowserClient();
  const url = new URL(request.url);
  // Client navigation runs only in a hydrated page, whose viewer is already in the cache.
  const viewer = async () => client.getQueryData(apiQuery(getCurrentUser, {}).queryKey) ?? null;
  try {
    return await load({ params, url, client, viewer });
  } catch (error) {
    throw toRouteError(error, url);
  }
}

/**
 * Waits for the requests on the server, so that their data is in the HTML. The browser does not wait, so that the page
 * shows its skeleton.
 */
export async function awaitOnServer(...requests: Promise<unknown>[]): Promise<void> {
  const all = Promise.all(requests);
  if (typeof window === 'undefined') await all;
  else all.catch(() => undefined);
}

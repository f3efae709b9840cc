/**
 * A call to the API, typed by its contract route (row W1). The transport is `fetch` in the browser and an in-process
 * call during server-side rendering.
 */

import type { PageCall, PageResponse } from '@stagedoor/contract/shared/page-frame.ts';
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { createNetworkError, toApiError } from './api-error.ts';

export interface ApiCall extends PageCall {
  body?: string | FormData | undefined;
  signal?: AbortSignal | undefined;
  keepalive?: boolean | undefined;
}
export type Transport = (call: ApiCall) => Promise<PageResponse>;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  operationId?: string | undefined;
  headers?: Record<string, string>;
  form?: FormData | undefined;
  /** The request continues when the page is left. */
  keepalive?: boolean | undefined;
}

type Values = Readonly<Record<string, unknown>>;

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}

function toTextValues(values: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(isValues(values) ? values : {})) {
    if (value !== undefined && value !== null && value !== '') texts[name] = String(value);
  }
  return texts;
}

/** Fills path parameters such as `/post/:id` with escaped values. Throws if one is missing (row V8). */
export function fillPath(path: string, params: unknown): string {
  const values = toTextValues(params);
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
}

/** Returns a query string with its question mark, without absent and empty values. '' if nothing remains. */
export function toQueryString(query: unknown): string {
  const text = new URLSearchParams(toTextValues(query)).toString();
  return text === '' ? '' : `?${text}`;
}

export function toAbsoluteUrl(path: string, base: string): string {
  return /^https?:\/\//i.test(path) ? path : `${base.replace(/\/$/, '')}${path}`;
}

/** Sends calls with fetch: with cookies, as JSON, without a timeout. */
export function createBrowserTransport(base: string): Transport {
  return async ({ method, path, headers, body, signal, keepalive }) => {
    let response: Response;
    try {
      response = await fetch(toAbsoluteUrl(path, base), {
        method,
        headers,
        credentials: 'include',
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
        ...(keepalive && { keepalive }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw createNetworkError();
    }
    const text = await response.text();
    try {
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      return { status: response.ok ? 502 : response.status, body: undefined };
    }
  };
}

/** Sends the call and resolves to the response body. Rejects with an ApiError for every unsuccessful response. */
export async function callApi<R extends RouteSpec>(
  transport: Transport,
  route: R,
  request: RequestOf<R>,
  options: CallOptions = {},
): Promise<ResponseOf<R>> {
  const { params, query, body } = request;
  const json = !options.form && body !== undefined;
  const response = await transport({
    method: route.method,
    path: `/api${fillPath(route.path, params)}${toQueryString(query)}`,
    route: route.path,
    params: toTextValues(params),
    query: toTextValues(query),
    headers: {
      accept: 'application/json',
      ...(json && { 'content-type': 'application/json' }),
      ...(options.operationId && { 'idempotency-key': options.operationId }),
      ...options.headers,
    },
    body: options.form ?? (json ? JSON.stringify(body) : undefined),
    signal: options.signal,
    ...(options.keepalive && { keepalive: true }),
  });
  if (response.status < 200 || response.status >= 300) throw toApiError(response.status, response.body);
  // The server serializes responses with this route's schema, so the body has that type.
  return response.body as ResponseOf<R>;
}

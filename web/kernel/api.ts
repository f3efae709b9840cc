/**
 * A call to the API, typed by its contract route (row W1). The transport is `fetch` in the browser and an in-process
 * call during server-side rendering.
 */

import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import type { PageAnswer, PageCall } from '@stagedoor/contract/page-frame.ts';
import { errorOf, networkError } from './api-error.ts';

export interface ApiCall extends PageCall {
  body?: string | FormData | undefined;
  signal?: AbortSignal | undefined;
  keepalive?: boolean | undefined;
}
export type Transport = (call: ApiCall) => Promise<PageAnswer>;

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

function textsOf(values: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(isValues(values) ? values : {})) {
    if (value !== undefined && value !== null && value !== '') texts[name] = String(value);
  }
  return texts;
}

/** Fills path parameters such as `/post/:id` with escaped values. Throws if one is missing (row V8). */
export function fillPath(path: string, params: unknown): string {
  const values = textsOf(params);
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
}

/** Returns a query string with its question mark, without absent and empty values. '' if nothing remains. */
export function queryString(query: unknown): string {
  const text = new URLSearchParams(textsOf(query)).toString();
  return text === '' ? '' : `?${text}`;
}

export function withBase(path: string, base: string): string {
  return /^https?:\/\//i.test(path) ? path : `${base.replace(/\/$/, '')}${path}`;
}

/** Sends calls with fetch: with cookies, as JSON, without a timeout. */
export function browserTransport(base: string): Transport {
  return async ({ method, path, headers, body, signal, keepalive }) => {
    let response: Response;
    try {
      response = await fetch(withBase(path, base), {
        method,
        headers,
        credentials: 'include',
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
        ...(keepalive && { keepalive }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw networkError();
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
  const answer = await transport({
    method: route.method,
    path: `/api${fillPath(route.path, params)}${queryString(query)}`,
    route: route.path,
    params: textsOf(params),
    query: textsOf(query),
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
  if (answer.status < 200 || answer.status >= 300) throw errorOf(answer.status, answer.body);
  // The server serializes responses with this route's schema, so the body has that type.
  return answer.body as ResponseOf<R>;
}

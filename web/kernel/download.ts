/** Fetches a file from the API and hands it to the browser to be saved. What goes wrong is shown like any call's failure. */
import type { RequestOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { fillPath, queryString, withBase } from './api.ts';
import { errorOf, networkError } from './api-error.ts';
import { showFailure } from './outcome.ts';
import { apiBase } from './query.ts';

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save it by then; revoked at once, some would save nothing.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

async function fetchFile(url: string, method: string): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(url, { method, credentials: 'include' });
    if (response.ok) return await response.blob();
  } catch {
    throw networkError();
  }
  throw errorOf(response.status, await bodyOf(response));
}

/** Saves what a route with `files` answers under this name. Rejects with an ApiError after having shown it. */
export async function download<R extends RouteSpec>(route: R, request: RequestOf<R>, name: string): Promise<void> {
  const { params, query } = request;
  try {
    const url = withBase(`/api${fillPath(route.path, params)}${queryString(query)}`, apiBase);
    save(await fetchFile(url, route.method), name);
  } catch (error) {
    showFailure(error);
    throw error;
  }
}

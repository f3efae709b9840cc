import type { RequestOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { fillPath, toAbsoluteUrl, toQueryString } from './api.ts';
import { createNetworkError, toApiError } from './api-error.ts';
import { showFailure } from './feedback.ts';
import { apiBase } from './query.ts';

function saveBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers would save nothing if the URL were revoked immediately.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function parseBody(response: Response): Promise<unknown> {
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
    throw createNetworkError();
  }
  throw toApiError(response.status, await parseBody(response));
}

/** Downloads the file response of a route under this name. Shows an ApiError and rejects with it. */
export async function downloadFile<R extends RouteSpec>(route: R, request: RequestOf<R>, name: string): Promise<void> {
  const { params, query } = request;
  try {
    const url = toAbsoluteUrl(`/api${fillPath(route.path, params)}${toQueryString(query)}`, apiBase);
    saveBlob(await fetchFile(url, route.method), name);
  } catch (error) {
    showFailure(error);
    throw error;
  }
}

import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { fillPath } from './api.ts';
import { createNetworkError, toApiError } from './api-error.ts';
import { showFailure } from './feedback.ts';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface UploadFormOptions {
  operationId?: string;
  signal: AbortSignal;
  /** Receives the sent fraction, 0 to 1. */
  progress: (fraction: number) => void;
}

/** Posts a multipart route with progress events, which fetch does not provide. Rejects with an ApiError. */
export function uploadForm<R extends RouteSpec>(
  route: R,
  { params }: Pick<RequestOf<R>, 'params'>,
  form: FormData,
  { operationId, signal, progress }: UploadFormOptions,
): Promise<ResponseOf<R>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.method, `/api${fillPath(route.path, params)}`);
    request.withCredentials = true;
    request.setRequestHeader('accept', 'application/json');
    if (operationId) request.setRequestHeader('idempotency-key', operationId);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = parseJson(request.responseText);
      // The server serializes responses with this route's schema, so the body has that type.
      if (request.status >= 200 && request.status < 300) return resolve(body as ResponseOf<R>);
      const error = toApiError(request.status, body);
      showFailure(error, { showErrorMessage: false });
      reject(error);
    };
    request.onerror = () => reject(createNetworkError());
    request.onabort = () => reject(createNetworkError());
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

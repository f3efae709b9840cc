import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { fillPath } from './api.ts';
import { errorOf, networkError } from './api-error.ts';
import { showFailure } from './outcome.ts';

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Posting {
  operationId?: string;
  signal: AbortSignal;
  /** Receives the sent fraction, 0 to 1. */
  progress: (done: number) => void;
}

/** Posts a multipart route with progress events, which fetch does not provide. Rejects with an ApiError. */
export function postForm<R extends RouteSpec>(
  route: R,
  { params }: Pick<RequestOf<R>, 'params'>,
  form: FormData,
  { operationId, signal, progress }: Posting,
): Promise<ResponseOf<R>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.method, `/api${fillPath(route.path, params)}`);
    request.withCredentials = true;
    request.setRequestHeader('accept', 'application/json');
    if (operationId) request.setRequestHeader('idempotency-key', operationId);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = jsonOf(request.responseText);
      // The server serializes responses with this route's schema, so the body has that type.
      if (request.status >= 200 && request.status < 300) return resolve(body as ResponseOf<R>);
      const error = errorOf(request.status, body);
      showFailure(error, { showErrorMessage: false });
      reject(error);
    };
    request.onerror = () => reject(networkError());
    request.onabort = () => reject(networkError());
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** Files on their way up, with progress: resumable ones over tus, small forms in one go. */
import type { ResponseOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { fillPath } from '../../../kernel/api.ts';
import { ApiError, errorOf, networkError } from '../../../kernel/api-error.ts';
import { showFailure } from '../../../kernel/outcome.ts';
import type { OutFile } from './queue.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
const RETRY_MS = [0, 1_000, 3_000];

function idOf(url: string | null): string | undefined {
  return url?.split('/').at(-1);
}

/**
 * Uploads one file, going on where an earlier try under the same `name` stopped. Answers its id on the server. Rejects with an
 * ApiError: NETWORK when it may be tried again, else the server's words.
 */
export async function uploadFile(
  file: OutFile,
  name: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): Promise<string> {
  const tus = await import('tus-js-client');
  return new Promise((resolve, reject) => {
    const upload = new tus.Upload(file.blob, {
      endpoint: '/files',
      metadata: { filename: file.name, filetype: file.type },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_MS,
      fingerprint: async () => `chat:${name}`,
      removeFingerprintOnSuccess: true,
      onProgress: progress,
      onSuccess: () => {
        const id = idOf(upload.url);
        if (id) resolve(id);
        else reject(networkError());
      },
      onError: (error) => {
        const response = error instanceof tus.DetailedError ? error.originalResponse : null;
        const status = response?.getStatus() ?? 0;
        if (status < 400 || status >= 500) return reject(networkError());
        reject(new ApiError('VALIDATION', response?.getBody() || 'This file could not be uploaded.', { status }));
      },
    });
    signal.addEventListener('abort', () => {
      void upload.abort(true);
      reject(networkError());
    });
    upload.findPreviousUploads().then(
      ([previous]) => {
        if (signal.aborted) return;
        if (previous) upload.resumeFromPreviousUpload(previous);
        upload.start();
      },
      () => upload.start(),
    );
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Posts a multipart route with progress, 0 to 1, which fetch cannot tell. Rejects with an ApiError. */
export function postForm<R extends RouteSpec>(
  route: R,
  form: FormData,
  { operationId, signal, progress }: { operationId: string; signal: AbortSignal; progress: (done: number) => void },
): Promise<ResponseOf<R>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.method, `/api${fillPath(route.path, {})}`);
    request.withCredentials = true;
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('idempotency-key', operationId);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = jsonOf(request.responseText);
      // The server answers nothing but what this route's response schema names, so its body is that type.
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

/** Uploads files over tus, resumable and with progress. Small forms use `platform/upload-form.ts`. */
import { ApiError, createNetworkError } from '../../../../platform/api-error.ts';
import { blockReloadDuring } from '../../../../platform/reload-guard.ts';
import type { OutboxFile } from './queue.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
const RETRY_MS = [0, 1_000, 3_000];

function findUploadId(url: string | null): string | undefined {
  return url?.split('/').at(-1);
}

/**
 * Uploads a file and resumes an earlier try with the same `uploadKey`. Returns its ID on the server. Rejects with an
 * ApiError: NETWORK when it may be retried, otherwise with the server's message.
 */
export async function uploadByTus(
  file: OutboxFile,
  uploadKey: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): Promise<string> {
  const tus = await import('tus-js-client');
  const startUpload = (resolve: (id: string) => void, reject: (error: ApiError) => void) => {
    const upload = new tus.Upload(file.blob, {
      endpoint: '/files',
      metadata: { filename: file.name, filetype: file.type },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_MS,
      fingerprint: async () => `chat:${uploadKey}`,
      removeFingerprintOnSuccess: true,
      onProgress: progress,
      onSuccess: () => {
        const id = findUploadId(upload.url);
        if (id) resolve(id);
        else reject(createNetworkError());
      },
      onError: (error) => {
        const response = error instanceof tus.DetailedError ? error.originalResponse : null;
        const status = response?.getStatus() ?? 0;
        if (status < 400 || status >= 500) return reject(createNetworkError());
        reject(new ApiError('VALIDATION', response?.getBody() || 'Couldn’t upload this file.', { status }));
      },
    });
    signal.addEventListener('abort', () => {
      void upload.abort(true);
      reject(createNetworkError());
    });
    upload.findPreviousUploads().then(
      ([previous]) => {
        if (signal.aborted) return;
        if (previous) upload.resumeFromPreviousUpload(previous);
        upload.start();
      },
      () => upload.start(),
    );
  };
  return blockReloadDuring(() => new Promise(startUpload));
}

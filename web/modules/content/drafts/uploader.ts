/**
 * Uploads files over tus, a few at a time, with pause, resume and automatic retry. It does not know posts and reports
 * the progress of each file by its key.
 */
import type { Upload, UploadOptions } from 'tus-js-client';
import { blockReloadWhile } from '../../../platform/reload-guard.ts';
import * as texts from './texts.ts';
import { createPace } from './upload-pace.ts';

const ENDPOINT = '/files';
const CONCURRENCY = 3;
/** Large enough to be fast, small enough for proxies that limit request bodies. */
const CHUNK_BYTES = 32 * 1024 * 1024;
const RETRY_MS = [0, 1_000, 2_000, 4_000];
/** Retry interval while the browser claims to be online but the connection does not work. */
const RETRY_OFFLINE_MS = 5_000;
const REPORT_INTERVAL_MS = 250;
/** A connection may fail silently. An upload without progress for this long is resumed from the server's offset. */
const STALL_MS = 30_000;

export type UploadUpdate =
  | { state: 'uploading'; sent?: number; rate: number | undefined }
  | { state: 'paused' | 'offline' | 'waiting'; rate: undefined }
  | { state: 'done'; mediaId: string }
  | { state: 'failed'; failure: string };

type Job = {
  file: File;
  url: string | null;
  upload: Upload | undefined;
  state: 'waiting' | 'uploading' | 'paused' | 'offline';
  progressedAt: number;
};

export type Uploader = {
  add(key: string, file: File, url?: string | null): void;
  pause(key: string): void;
  resume(key: string): void;
  /** Stops the upload. With `isDiscarded` the server deletes what it has. */
  drop(key: string, isDiscarded: boolean): void;
  /** Stops all uploads. The server keeps what it has. */
  close(): void;
};

type UploadCallbacks = {
  update(key: string, update: UploadUpdate): void;
  setUrl(key: string, url: string): void;
};

/** The server's error message, from plain text or the API's error format. */
export function parseErrorMessage(body: string | undefined): string | undefined {
  if (!body?.startsWith('{')) return body?.trim() || undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    const message = typeof parsed === 'object' && parsed !== null && 'message' in parsed ? parsed.message : undefined;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function getUploadId(url: string): string {
  return url.split('/').at(-1) ?? '';
}

export function createUploader(callbacks: UploadCallbacks): Uploader {
  const jobs = new Map<string, Job>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function startWaiting(): void {
    const running = [...jobs.values()].filter(({ state }) => state === 'uploading').length;
    const waiting = [...jobs].filter(([, job]) => job.state === 'waiting').slice(0, Math.max(0, CONCURRENCY - running));
    for (const [key, job] of waiting) void startUpload(key, job);
  }

  function stop(key: string, job: Job, state: 'paused' | 'offline' | 'waiting'): void {
    clearTimeout(timers.get(key));
    void job.upload?.abort().catch(() => undefined);
    job.state = state;
    callbacks.update(key, { state, rate: undefined });
    startWaiting();
  }

  function waitForConnection(key: string, job: Job): void {
    stop(key, job, 'offline');
    const retry = () => {
      if (job.state !== 'offline' || jobs.get(key) !== job) return;
      if (navigator.onLine) stop(key, job, 'waiting');
      else timers.set(key, setTimeout(retry, RETRY_OFFLINE_MS));
    };
    timers.set(key, setTimeout(retry, RETRY_OFFLINE_MS));
  }

  function createProgressHandler(key: string, job: Job): NonNullable<UploadOptions['onProgress']> {
    const pace = createPace();
    let reportedAt = 0;
    return (sent, total) => {
      const now = performance.now();
      const rate = pace.record(sent, now);
      // After the last byte the server needs time, so the stall timeout is off.
      job.progressedAt = sent < total ? now : Number.POSITIVE_INFINITY;
      if (now - reportedAt < REPORT_INTERVAL_MS && sent < total) return;
      reportedAt = now;
      callbacks.update(key, { state: 'uploading', sent, rate });
    };
  }

  async function startUpload(key: string, job: Job): Promise<void> {
    job.state = 'uploading';
    job.progressedAt = performance.now();
    const tus = await import('tus-js-client').catch(() => undefined);
    // Paused or removed while the library was loading.
    if (jobs.get(key) !== job || job.state !== 'uploading') return;
    if (!tus) return waitForConnection(key, job);
    const upload = new tus.Upload(job.file, {
      endpoint: ENDPOINT,
      uploadUrl: job.url,
      metadata: { filename: job.file.name, filetype: job.file.type },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_MS,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => {
        if (!upload.url) return;
        job.url = upload.url;
        callbacks.setUrl(key, upload.url);
      },
      onProgress: createProgressHandler(key, job),
      onSuccess: () => {
        jobs.delete(key);
        callbacks.update(key, { state: 'done', mediaId: getUploadId(upload.url ?? '') });
        startWaiting();
      },
      onError: (error) => {
        if (jobs.get(key) !== job || job.state !== 'uploading') return;
        const response = error instanceof tus.DetailedError ? error.originalResponse : null;
        const status = response?.getStatus() ?? 0;
        // No response, a server that is starting, and a rate limit are treated like a lost connection.
        if (status === 0 || status >= 500 || status === 429 || status === 423) return waitForConnection(key, job);
        jobs.delete(key);
        callbacks.update(key, {
          state: 'failed',
          failure: parseErrorMessage(response?.getBody()) ?? texts.uploadInterruptedError,
        });
        startWaiting();
      },
    });
    job.upload = upload;
    callbacks.update(key, { state: 'uploading', rate: undefined });
    upload.start();
  }

  const resumeAll = () => {
    for (const [key, job] of jobs) if (job.state === 'offline') stop(key, job, 'waiting');
  };
  const suspendAll = () => {
    for (const [key, job] of jobs) if (job.state === 'uploading') waitForConnection(key, job);
  };
  const unblockReload = blockReloadWhile(() => jobs.size > 0);
  window.addEventListener('online', resumeAll);
  window.addEventListener('offline', suspendAll);
  const watch = setInterval(() => {
    for (const [key, job] of jobs)
      if (job.state === 'uploading' && performance.now() - job.progressedAt > STALL_MS) waitForConnection(key, job);
  }, RETRY_OFFLINE_MS);

  return {
    add: (key, file, url = null) => {
      jobs.set(key, { file, url, upload: undefined, state: 'waiting', progressedAt: 0 });
      callbacks.update(key, { state: 'waiting', rate: undefined });
      startWaiting();
    },
    pause: (key) => {
      const job = jobs.get(key);
      if (job) stop(key, job, 'paused');
    },
    resume: (key) => {
      const job = jobs.get(key);
      if (job) stop(key, job, 'waiting');
    },
    drop: (key, isDiscarded) => {
      const job = jobs.get(key);
      clearTimeout(timers.get(key));
      jobs.delete(key);
      void job?.upload?.abort(isDiscarded).catch(() => undefined);
      startWaiting();
    },
    close: () => {
      unblockReload();
      window.removeEventListener('online', resumeAll);
      window.removeEventListener('offline', suspendAll);
      clearInterval(watch);
      for (const timer of timers.values()) clearTimeout(timer);
      const openJobs = [...jobs.values()];
      jobs.clear();
      for (const { upload } of openJobs) void upload?.abort().catch(() => undefined);
    },
  };
}

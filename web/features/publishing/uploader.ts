/**
 * Uploads files over tus, a few at a time, with pause, resume and automatic retry. It does not know posts and reports
 * the progress of each file by its key.
 */
import type { Upload, UploadOptions } from 'tus-js-client';
import { busyWhile } from '../../kernel/busy.ts';
import { createPace } from './pace.ts';

const ENDPOINT = '/files';
const AT_ONCE = 3;
/** Large enough to be fast, small enough for proxies that limit request bodies. */
const CHUNK_BYTES = 32 * 1024 * 1024;
const RETRY_MS = [0, 1_000, 2_000, 4_000];
/** Retry interval while the browser claims to be online but the connection does not work. */
const AGAIN_MS = 5_000;
const TELL_MS = 250;
/** A connection may fail silently. An upload without progress for this long is resumed from the server's offset. */
const STALL_MS = 30_000;

export type UploadNews =
  | { state: 'uploading'; sent?: number; rate: number | undefined }
  | { state: 'paused' | 'offline' | 'waiting'; rate: undefined }
  | { state: 'done'; mediaId: string }
  | { state: 'failed'; failure: string };

type Job = {
  file: File;
  url: string | null;
  upload: Upload | undefined;
  state: 'waiting' | 'uploading' | 'paused' | 'offline';
  movedAt: number;
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

type Told = {
  news(key: string, news: UploadNews): void;
  placed(key: string, url: string): void;
};

/** The server's error message, from plain text or the API's error format. */
export function wordsOf(body: string | undefined): string | undefined {
  if (!body?.startsWith('{')) return body?.trim() || undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    const words = typeof parsed === 'object' && parsed !== null && 'message' in parsed ? parsed.message : undefined;
    return typeof words === 'string' ? words : undefined;
  } catch {
    return undefined;
  }
}

function idOf(url: string): string {
  return url.split('/').at(-1) ?? '';
}

export function createUploader(told: Told): Uploader {
  const jobs = new Map<string, Job>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function fill(): void {
    const running = [...jobs.values()].filter(({ state }) => state === 'uploading').length;
    const waiting = [...jobs].filter(([, job]) => job.state === 'waiting').slice(0, Math.max(0, AT_ONCE - running));
    for (const [key, job] of waiting) void begin(key, job);
  }

  function stop(key: string, job: Job, state: 'paused' | 'offline' | 'waiting'): void {
    clearTimeout(timers.get(key));
    void job.upload?.abort().catch(() => undefined);
    job.state = state;
    told.news(key, { state, rate: undefined });
    fill();
  }

  function waitOut(key: string, job: Job): void {
    stop(key, job, 'offline');
    const again = () => {
      if (job.state !== 'offline' || jobs.get(key) !== job) return;
      if (navigator.onLine) stop(key, job, 'waiting');
      else timers.set(key, setTimeout(again, AGAIN_MS));
    };
    timers.set(key, setTimeout(again, AGAIN_MS));
  }

  function progressTo(key: string, job: Job): NonNullable<UploadOptions['onProgress']> {
    const pace = createPace();
    let toldAt = 0;
    return (sent, total) => {
      const now = performance.now();
      const rate = pace.note(sent, now);
      // After the last byte the server needs time, so the stall timeout is off.
      job.movedAt = sent < total ? now : Number.POSITIVE_INFINITY;
      if (now - toldAt < TELL_MS && sent < total) return;
      toldAt = now;
      told.news(key, { state: 'uploading', sent, rate });
    };
  }

  async function begin(key: string, job: Job): Promise<void> {
    job.state = 'uploading';
    job.movedAt = performance.now();
    const tus = await import('tus-js-client').catch(() => undefined);
    // Paused or removed while the library was loading.
    if (jobs.get(key) !== job || job.state !== 'uploading') return;
    if (!tus) return waitOut(key, job);
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
        told.placed(key, upload.url);
      },
      onProgress: progressTo(key, job),
      onSuccess: () => {
        jobs.delete(key);
        told.news(key, { state: 'done', mediaId: idOf(upload.url ?? '') });
        fill();
      },
      onError: (error) => {
        if (jobs.get(key) !== job || job.state !== 'uploading') return;
        const response = error instanceof tus.DetailedError ? error.originalResponse : null;
        const status = response?.getStatus() ?? 0;
        // No response, a server that is starting, and a rate limit are treated like a lost connection.
        if (status === 0 || status >= 500 || status === 429 || status === 423) return waitOut(key, job);
        jobs.delete(key);
        told.news(key, {
          state: 'failed',
          failure: wordsOf(response?.getBody()) ?? 'Upload interrupted. Choose the file again.',
        });
        fill();
      },
    });
    job.upload = upload;
    told.news(key, { state: 'uploading', rate: undefined });
    upload.start();
  }

  const goOn = () => {
    for (const [key, job] of jobs) if (job.state === 'offline') stop(key, job, 'waiting');
  };
  const breakOff = () => {
    for (const [key, job] of jobs) if (job.state === 'uploading') waitOut(key, job);
  };
  const endBusy = busyWhile(() => jobs.size > 0);
  window.addEventListener('online', goOn);
  window.addEventListener('offline', breakOff);
  const watch = setInterval(() => {
    for (const [key, job] of jobs)
      if (job.state === 'uploading' && performance.now() - job.movedAt > STALL_MS) waitOut(key, job);
  }, AGAIN_MS);

  return {
    add: (key, file, url = null) => {
      jobs.set(key, { file, url, upload: undefined, state: 'waiting', movedAt: 0 });
      told.news(key, { state: 'waiting', rate: undefined });
      fill();
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
      fill();
    },
    close: () => {
      endBusy();
      window.removeEventListener('online', goOn);
      window.removeEventListener('offline', breakOff);
      clearInterval(watch);
      for (const timer of timers.values()) clearTimeout(timer);
      const open = [...jobs.values()];
      jobs.clear();
      for (const { upload } of open) void upload?.abort().catch(() => undefined);
    },
  };
}

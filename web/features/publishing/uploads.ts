/**
 * Uploads of a draft: resumable (tus), each with its progress, going on after a lost connection; then the server's word on
 * whether the picture is fit. What is shown is kept by a pure reducer.
 */
import { PICTURE, POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { deleteMedia, getMedia, type Media, mediaProcessed } from '@stagedoor/contract/media.ts';
import { useEffect, useReducer, useRef } from 'react';
import type { Upload } from 'tus-js-client';
import { formatBytes } from '../../kernel/dates.ts';
import { onEvent } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';

export type Item = {
  key: string;
  name: string;
  byteSize: number;
  /** Bytes that the server has. */
  sent: number;
  state: 'uploading' | 'paused' | 'processing' | 'ready' | 'failed';
  failure: string | undefined;
  mediaId: string | undefined;
  alt: string;
  /** What is shown: the file on this device, or the picture on the server. */
  src: string;
};

type Change =
  | { kind: 'added'; items: Item[] }
  | { kind: 'changed'; key: string; change: Partial<Item> }
  | { kind: 'processed'; media: Media }
  | { kind: 'moved'; key: string; by: number }
  | { kind: 'removed'; key: string };

function moved(items: readonly Item[], key: string, by: number): Item[] {
  const from = items.findIndex((item) => item.key === key);
  const to = from + by;
  const item = items[from];
  if (!item || to < 0 || to >= items.length) return [...items];
  const others = items.filter((other) => other !== item);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

export function itemsReducer(items: readonly Item[], change: Change): Item[] {
  switch (change.kind) {
    case 'added':
      return [...items, ...change.items];
    case 'changed':
      return items.map((item) => (item.key === change.key ? { ...item, ...change.change } : item));
    case 'processed': {
      const { id, status, failure } = change.media;
      if (status === 'processing') return [...items];
      return items.map((item) =>
        item.mediaId === id ? { ...item, state: status, failure: failure ?? undefined } : item,
      );
    }
    case 'moved':
      return moved(items, change.key, change.by);
    case 'removed':
      return items.filter((item) => item.key !== change.key);
  }
}

/** Why a file is not even sent; nothing when it may be. The server judges by content all the same. */
export function refusalOf(file: { name: string; size: number; type: string }): string | undefined {
  if (!file.type.startsWith('image/') && !/\.(?:heic|heif)$/i.test(file.name)) return `${file.name} is not a picture.`;
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > PICTURE.maxBytes) return `${file.name} is larger than ${formatBytes(PICTURE.maxBytes)}.`;
  return undefined;
}

const POLL_MS = 2_000;
const RETRY_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000];
const CHUNK_BYTES = 4 * 1024 * 1024;

export type Uploads = {
  items: readonly Item[];
  /** Adds files, as many as a post may have. Answers what was refused, in words. */
  add(files: Iterable<File>): string[];
  pause(key: string): void;
  resume(key: string): void;
  move(key: string, by: number): void;
  describe(key: string, alt: string): void;
  /** Takes an item out; what was uploaded for nothing is discarded on the server. */
  remove(key: string): void;
};

function idOf(url: string | null): string | undefined {
  return url?.split('/').at(-1);
}

export function useUploads(initial: readonly Item[] = []): Uploads {
  const [items, dispatch] = useReducer(itemsReducer, [...initial]);
  const running = useRef(new Map<string, Upload>());

  useEffect(() => onEvent(mediaProcessed, (media) => dispatch({ kind: 'processed', media })), []);
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const upload of uploads.values()) void upload.abort();
    };
  }, []);

  // The live event may be missed while the connection is down, so whoever waits also asks.
  const waiting = items.filter((item) => item.state === 'processing').map((item) => item.mediaId);
  const waitingKey = waiting.join(' ');
  useEffect(() => {
    if (waitingKey === '') return;
    const timer = setInterval(() => {
      for (const id of waitingKey.split(' ')) {
        api(getMedia, { params: { id } }, { showErrorMessage: false }).then(
          (media) => dispatch({ kind: 'processed', media }),
          () => undefined,
        );
      }
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [waitingKey]);

  const send = async (key: string, file: File) => {
    const tus = await import('tus-js-client');
    const upload = new tus.Upload(file, {
      endpoint: '/files',
      metadata: { filename: file.name, filetype: file.type },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_MS,
      removeFingerprintOnSuccess: true,
      onProgress: (sent) => dispatch({ kind: 'changed', key, change: { sent } }),
      onSuccess: () => {
        running.current.delete(key);
        dispatch({ kind: 'changed', key, change: { state: 'processing', mediaId: idOf(upload.url), sent: file.size } });
      },
      onError: (error) => {
        const words = error instanceof tus.DetailedError ? error.originalResponse?.getBody() : undefined;
        dispatch({
          kind: 'changed',
          key,
          change: { state: 'failed', failure: words || 'The upload broke off. Remove it and try again.' },
        });
      },
    });
    running.current.set(key, upload);
    const [previous] = await upload.findPreviousUploads();
    if (previous) upload.resumeFromPreviousUpload(previous);
    upload.start();
  };

  return {
    items,
    add: (files) => {
      const refused: string[] = [];
      const added: Item[] = [];
      for (const file of files) {
        const refusal = refusalOf(file);
        if (refusal) refused.push(refusal);
        else if (items.length + added.length >= POST_LIMITS.files)
          refused.push(`A post has at most ${POST_LIMITS.files} files.`);
        else {
          const key = crypto.randomUUID();
          added.push({
            key,
            name: file.name,
            byteSize: file.size,
            sent: 0,
            state: 'uploading',
            failure: undefined,
            mediaId: undefined,
            alt: '',
            src: URL.createObjectURL(file),
          });
          void send(key, file);
        }
      }
      dispatch({ kind: 'added', items: added });
      return refused;
    },
    pause: (key) => {
      void running.current.get(key)?.abort();
      dispatch({ kind: 'changed', key, change: { state: 'paused' } });
    },
    resume: (key) => {
      running.current.get(key)?.start();
      dispatch({ kind: 'changed', key, change: { state: 'uploading' } });
    },
    move: (key, by) => dispatch({ kind: 'moved', key, by }),
    describe: (key, alt) => dispatch({ kind: 'changed', key, change: { alt } }),
    remove: (key) => {
      const item = items.find((each) => each.key === key);
      void running.current.get(key)?.abort(true);
      running.current.delete(key);
      dispatch({ kind: 'removed', key });
      // What belongs to a post already is refused by the server, and that is right.
      if (item?.mediaId)
        api(deleteMedia, { params: { id: item.mediaId } }, { showErrorMessage: false }).catch(() => undefined);
    },
  };
}

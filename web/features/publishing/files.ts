import { POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { deleteMedia, getMedia, type Media, mediaProcessed, mediaProgress } from '@stagedoor/contract/media.ts';
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { onEvent } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import { dropHandle, keepHandle, readHandle } from './handles.ts';
import { type Item, isUploading, itemOfFile, itemOfMedia, itemsReducer, refusalOf } from './items.ts';
import { lockOf, restore } from './restore.ts';
import { forgetUpload, isSameFile, rememberUpload, type Unfinished } from './unfinished.ts';
import { createUploader, type Uploader, type UploadNews } from './uploader.ts';

const POLL_MS = 3_000;
const NO_ITEMS: readonly Item[] = [];

export type Files = {
  items: readonly Item[];
  /** Adds files up to the limit. Returns the reasons for refused ones. */
  add(files: readonly File[], handles?: readonly (FileSystemFileHandle | undefined)[]): string[];
  addMedia(media: readonly Media[]): void;
  pause(key: string): void;
  resume(key: string): void;
  /** Resumes a file that the browser no longer has. Returns the reason when it cannot. */
  chooseAgain(key: string, file: File): string | undefined;
  /** Resumes a dropped file and asks for permission if needed. Returns whether the file could be read. */
  readAgain(key: string): Promise<boolean>;
  move(key: string, to: number): void;
  describe(key: string, alt: string): void;
  /** Removes an item. An uploaded file stays in the library, and the returned function, if any, restores it. */
  remove(key: string): (() => void) | undefined;
  /** Removes an uploaded item whatever its processing status. It stays in the library. */
  letGo(key: string): void;
  /** Replaces the uploaded items by those of a draft. Files that are still uploading stay. */
  show(media: readonly { media: Media; alt: string }[]): void;
};

export type FilesOptions = {
  ownerId: string;
  draftId: string | undefined;
  initial?: readonly Item[];
  most?: number;
};

type Origin = Pick<Unfinished, 'type' | 'lastModified' | 'url' | 'begunAt'>;

function useMemory(
  items: readonly Item[],
  origins: RefObject<Map<string, Origin>>,
  { ownerId, draftId }: FilesOptions,
) {
  const written = useRef(new Map<string, string>());
  useEffect(() => {
    const kept = new Set<string>();
    items.forEach((item, index) => {
      const origin = origins.current.get(item.key);
      if (!origin || draftId === undefined || !(isUploading(item) || item.state === 'lost')) return;
      const { key, name, byteSize, alt } = item;
      const record: Unfinished = { key, draftId, ownerId, name, byteSize, alt, index, ...origin };
      kept.add(key);
      const text = JSON.stringify(record);
      if (written.current.get(key) === text) return;
      written.current.set(key, text);
      rememberUpload(localStorage, record);
    });
    for (const key of written.current.keys()) {
      if (kept.has(key)) continue;
      written.current.delete(key);
      forgetUpload(localStorage, key);
      void dropHandle(key);
    }
  }, [items, origins, ownerId, draftId]);
}

/** Polls files that are being processed, because live events are missed while the connection is down. */
function usePolling(items: readonly Item[], tell: (media: Media) => void) {
  const waiting = items.filter(({ state }) => state === 'processing').flatMap(({ mediaId }) => mediaId ?? []);
  const waitingKey = waiting.join(' ');
  useEffect(() => {
    if (waitingKey === '') return;
    const ask = () => {
      for (const id of waitingKey.split(' '))
        api(getMedia, { params: { id } }, { showErrorMessage: false }).then(tell, () => undefined);
    };
    ask();
    const timer = setInterval(ask, POLL_MS);
    return () => clearInterval(timer);
  }, [waitingKey, tell]);
}

export function useFiles(options: FilesOptions): Files {
  const { ownerId, draftId, initial = NO_ITEMS, most = POST_LIMITS.files } = options;
  const [items, dispatch] = useReducer(itemsReducer, initial);
  const origins = useRef(new Map<string, Origin>());
  const locks = useRef(new Map<string, () => void>());
  const [tell] = useState(() => (media: Media) => dispatch({ kind: 'told', media }));
  const uploader = useRef<Uploader | undefined>(undefined);
  const addresses = useRef(new Set<string>());
  const restored = useRef<string | undefined>(undefined);

  useEffect(() => onEvent(mediaProcessed, tell), [tell]);
  useEffect(() => onEvent(mediaProgress, (news) => dispatch({ kind: 'progressed', ...news })), []);
  usePolling(items, tell);
  useMemory(items, origins, options);

  useEffect(() => {
    const opened = createUploader({
      placed: (key, url) => {
        const origin = origins.current.get(key);
        if (origin) origins.current.set(key, { ...origin, url });
      },
      news: (key, news) => {
        if (news.state === 'done' || news.state === 'failed') locks.current.get(key)?.();
        dispatch({ kind: 'changed', key, change: changeOf(news) });
      },
    });
    uploader.current = opened;
    const made = addresses.current;
    const held = locks.current;
    return () => {
      opened.close();
      for (const release of held.values()) release();
      for (const address of made) URL.revokeObjectURL(address);
      made.clear();
    };
  }, []);

  // Restores what an earlier page was uploading for this draft. A draft that was created on this page has nothing to
  // restore.
  useEffect(() => {
    if (draftId === undefined || restored.current !== undefined) return;
    restored.current = draftId;
    restore({ ownerId, draftId }).then(
      (found) => {
        for (const { item, origin, file } of found) {
          origins.current.set(item.key, origin);
          dispatch({ kind: 'inserted', item, index: origin.index });
          if (file) uploader.current?.add(item.key, file, origin.url);
        }
      },
      () => undefined,
    );
  }, [ownerId, draftId]);

  const send = (key: string, file: File) => {
    uploader.current?.add(key, file, origins.current.get(key)?.url ?? null);
    void navigator.locks
      ?.request(lockOf(key), () => new Promise<void>((resolve) => locks.current.set(key, resolve)))
      .catch(() => undefined);
  };
  const shownAt = (file: File): string => {
    if (!file.type.startsWith('image/')) return '';
    const src = URL.createObjectURL(file);
    addresses.current.add(src);
    return src;
  };
  const goOnWith = (key: string, file: File) => {
    dispatch({ kind: 'changed', key, change: { src: shownAt(file) } });
    send(key, file);
  };
  const lostLike = (file: File) => {
    for (const item of items) {
      const origin = origins.current.get(item.key);
      if (item.state === 'lost' && origin && isSameFile({ ...item, ...origin }, file)) return item.key;
    }
    return undefined;
  };

  return {
    items,
    add: (files, handles = []) => {
      const refused: string[] = [];
      const added: Item[] = [];
      const sent: [string, File][] = [];
      for (const [index, file] of files.entries()) {
        const again = lostLike(file);
        if (again !== undefined) {
          goOnWith(again, file);
          continue;
        }
        const refusal = refusalOf(file);
        if (refusal) {
          refused.push(refusal);
          continue;
        }
        if (items.length + added.length >= most) {
          refused.push(`A post can have up to ${most} files.`);
          continue;
        }
        const key = crypto.randomUUID();
        origins.current.set(key, { type: file.type, lastModified: file.lastModified, url: null, begunAt: Date.now() });
        added.push(itemOfFile(key, file, shownAt(file)));
        const handle = handles[index];
        if (handle) void keepHandle(key, handle);
        sent.push([key, file]);
      }
      if (added.length > 0) dispatch({ kind: 'added', items: added });
      for (const [key, file] of sent) send(key, file);
      restored.current ??= '';
      return [...new Set(refused)];
    },
    addMedia: (media) => {
      const held = new Set(items.map(({ mediaId }) => mediaId));
      const fresh = media.filter(({ id }) => !held.has(id)).slice(0, most - items.length);
      dispatch({ kind: 'added', items: fresh.map((each) => itemOfMedia(each, '')) });
    },
    pause: (key) => uploader.current?.pause(key),
    resume: (key) => uploader.current?.resume(key),
    chooseAgain: (key, file) => {
      const item = items.find((each) => each.key === key);
      const origin = origins.current.get(key);
      if (!item || !origin) return undefined;
      if (!isSameFile({ ...item, ...origin }, file)) return `That’s a different file. Choose ${item.name} to resume.`;
      goOnWith(key, file);
      return undefined;
    },
    readAgain: async (key) => {
      const file = await readHandle(key, true);
      if (file) goOnWith(key, file);
      return file !== undefined;
    },
    move: (key, to) => dispatch({ kind: 'moved', key, to }),
    describe: (key, alt) => dispatch({ kind: 'changed', key, change: { alt } }),
    remove: (key) => {
      const index = items.findIndex((each) => each.key === key);
      const item = items[index];
      if (!item) return undefined;
      dispatch({ kind: 'removed', key });
      if (item.mediaId && item.state !== 'failed') return () => dispatch({ kind: 'inserted', item, index });
      uploader.current?.drop(key, true);
      locks.current.get(key)?.();
      const url = origins.current.get(key)?.url;
      if (item.state === 'lost' && url) void fetch(url, { method: 'DELETE', headers: TUS }).catch(() => undefined);
      if (item.mediaId)
        void api(deleteMedia, { params: { id: item.mediaId } }, { showErrorMessage: false }).catch(() => undefined);
      return undefined;
    },
    letGo: (key) => dispatch({ kind: 'removed', key }),
    show: (media) =>
      dispatch({
        kind: 'replaced',
        items: [
          ...media.map((each) => itemOfMedia(each.media, each.alt)),
          ...items.filter((item) => isUploading(item) || item.state === 'lost'),
        ],
      }),
  };
}

const TUS = { 'tus-resumable': '1.0.0' };

function changeOf(news: UploadNews): Partial<Item> {
  if (news.state === 'done') return { state: 'processing', mediaId: news.mediaId, rate: undefined };
  return news;
}

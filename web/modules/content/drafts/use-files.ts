import { deleteMedia, getMedia, type Media, mediaProcessed, mediaProgress } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { localStore } from '../../../platform/browser-storage.ts';
import { api } from '../../../platform/mutation.ts';
import { onEvent } from '../../../platform/socket-events.ts';
import { deleteHandle, readHandle, saveHandle } from './file-handles.ts';
import { findFileRefusal, isUploading, itemsReducer, toMediaItem, toUploadItem, type UploadItem } from './items.ts';
import { restoreUploads, toLockName } from './restore-uploads.ts';
import * as texts from './texts.ts';
import { deleteStoredUpload, isSameFile, storeUpload, type UnfinishedUpload } from './unfinished-uploads.ts';
import { createUploader, type Uploader, type UploadUpdate } from './uploader.ts';

const POLL_MS = 3_000;
const NO_ITEMS: readonly UploadItem[] = [];

export type PostFiles = {
  items: readonly UploadItem[];
  /** Adds files up to the limit. Returns the reasons for refused ones. */
  add(files: readonly File[], handles?: readonly (FileSystemFileHandle | undefined)[]): string[];
  addMedia(media: readonly Media[]): void;
  pause(key: string): void;
  resume(key: string): void;
  /** Resumes a file that the browser no longer has. Returns the reason when it cannot. */
  chooseAgain(key: string, file: File): string | undefined;
  /** Resumes a dropped file and requests permission if needed. Returns whether the file could be read. */
  readAgain(key: string): Promise<boolean>;
  move(key: string, to: number): void;
  describe(key: string, alt: string): void;
  /** Removes an item. An uploaded file stays in the library, and the returned function, if any, restores it. */
  remove(key: string): (() => void) | undefined;
  /** Removes an uploaded item whatever its processing status. It stays in the library. */
  detach(key: string): void;
  /** Replaces the uploaded items by those of a draft. Files that are still uploading stay. */
  replaceMedia(media: readonly { media: Media; alt: string }[]): void;
};

export type PostFilesOptions = {
  ownerId: string;
  draftId: string | undefined;
  initial?: readonly UploadItem[];
  max?: number;
};

type UploadOrigin = Pick<UnfinishedUpload, 'type' | 'lastModified' | 'url' | 'startedAt'>;

function usePersistedUploads(
  items: readonly UploadItem[],
  origins: RefObject<Map<string, UploadOrigin>>,
  { ownerId, draftId }: PostFilesOptions,
) {
  const writtenRecords = useRef(new Map<string, string>());
  useEffect(() => {
    const activeKeys = new Set<string>();
    items.forEach((item, index) => {
      const origin = origins.current.get(item.key);
      if (!origin || draftId === undefined || !(isUploading(item) || item.state === 'lost')) return;
      const { key, name, byteSize, alt } = item;
      const record: UnfinishedUpload = { key, draftId, ownerId, name, byteSize, alt, index, ...origin };
      activeKeys.add(key);
      const text = JSON.stringify(record);
      if (writtenRecords.current.get(key) === text) return;
      writtenRecords.current.set(key, text);
      storeUpload(localStore, record);
    });
    for (const key of writtenRecords.current.keys()) {
      if (activeKeys.has(key)) continue;
      writtenRecords.current.delete(key);
      deleteStoredUpload(localStore, key);
      void deleteHandle(key);
    }
  }, [items, origins, ownerId, draftId]);
}

/** Polls files that are being processed, because live events are missed while the connection is down. */
function usePolling(items: readonly UploadItem[], updateMedia: (media: Media) => void) {
  const processingIds = items.filter(({ state }) => state === 'processing').flatMap(({ mediaId }) => mediaId ?? []);
  const processingKey = processingIds.join(' ');
  useEffect(() => {
    if (processingKey === '') return;
    const poll = () => {
      for (const id of processingKey.split(' '))
        api(getMedia, { params: { id } }, { showErrorMessage: false }).then(updateMedia, () => undefined);
    };
    poll();
    const timer = setInterval(poll, POLL_MS);
    return () => clearInterval(timer);
  }, [processingKey, updateMedia]);
}

export function usePostFiles(options: PostFilesOptions): PostFiles {
  const { ownerId, draftId, initial = NO_ITEMS, max = POST_LIMITS.files } = options;
  const [items, dispatch] = useReducer(itemsReducer, initial);
  const origins = useRef(new Map<string, UploadOrigin>());
  const locks = useRef(new Map<string, () => void>());
  const [updateMedia] = useState(() => (media: Media) => dispatch({ kind: 'received', media }));
  const uploader = useRef<Uploader | undefined>(undefined);
  const objectUrls = useRef(new Set<string>());
  const restored = useRef<string | undefined>(undefined);

  useEffect(() => onEvent(mediaProcessed, updateMedia), [updateMedia]);
  useEffect(() => onEvent(mediaProgress, (update) => dispatch({ kind: 'progressed', ...update })), []);
  usePolling(items, updateMedia);
  usePersistedUploads(items, origins, options);

  useEffect(() => {
    const instance = createUploader({
      setUrl: (key, url) => {
        const origin = origins.current.get(key);
        if (origin) origins.current.set(key, { ...origin, url });
      },
      update: (key, update) => {
        if (update.state === 'done' || update.state === 'failed') locks.current.get(key)?.();
        dispatch({ kind: 'changed', key, change: toItemChange(update) });
      },
    });
    uploader.current = instance;
    const urls = objectUrls.current;
    const heldLocks = locks.current;
    return () => {
      instance.close();
      for (const release of heldLocks.values()) release();
      for (const objectUrl of urls) URL.revokeObjectURL(objectUrl);
      urls.clear();
    };
  }, []);

  // Restores what an earlier page was uploading for this draft. A draft that was created on this page has nothing to
  // restore.
  useEffect(() => {
    if (draftId === undefined || restored.current !== undefined) return;
    restored.current = draftId;
    restoreUploads({ ownerId, draftId }).then(
      (uploads) => {
        for (const { item, origin, file } of uploads) {
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
      ?.request(toLockName(key), () => new Promise<void>((resolve) => locks.current.set(key, resolve)))
      .catch(() => undefined);
  };
  const createPreviewUrl = (file: File): string => {
    if (!file.type.startsWith('image/')) return '';
    const src = URL.createObjectURL(file);
    objectUrls.current.add(src);
    return src;
  };
  const resumeWith = (key: string, file: File) => {
    dispatch({ kind: 'changed', key, change: { src: createPreviewUrl(file) } });
    send(key, file);
  };
  const findLostKey = (file: File) => {
    for (const item of items) {
      const origin = origins.current.get(item.key);
      if (item.state === 'lost' && origin && isSameFile({ ...item, ...origin }, file)) return item.key;
    }
    return undefined;
  };

  return {
    items,
    add: (files, handles = []) => {
      const refusals: string[] = [];
      const added: UploadItem[] = [];
      const sent: [string, File][] = [];
      for (const [index, file] of files.entries()) {
        const lostKey = findLostKey(file);
        if (lostKey !== undefined) {
          resumeWith(lostKey, file);
          continue;
        }
        const refusal = findFileRefusal(file);
        if (refusal) {
          refusals.push(refusal);
          continue;
        }
        if (items.length + added.length >= max) {
          refusals.push(formatText(texts.fileCountError, { files: max }));
          continue;
        }
        const key = crypto.randomUUID();
        origins.current.set(key, {
          type: file.type,
          lastModified: file.lastModified,
          url: null,
          startedAt: Date.now(),
        });
        added.push(toUploadItem(key, file, createPreviewUrl(file)));
        const handle = handles[index];
        if (handle) void saveHandle(key, handle);
        sent.push([key, file]);
      }
      if (added.length > 0) dispatch({ kind: 'added', items: added });
      for (const [key, file] of sent) send(key, file);
      restored.current ??= '';
      return [...new Set(refusals)];
    },
    addMedia: (media) => {
      const existingIds = new Set(items.map(({ mediaId }) => mediaId));
      const newMedia = media.filter(({ id }) => !existingIds.has(id)).slice(0, max - items.length);
      dispatch({ kind: 'added', items: newMedia.map((each) => toMediaItem(each, '')) });
    },
    pause: (key) => uploader.current?.pause(key),
    resume: (key) => uploader.current?.resume(key),
    chooseAgain: (key, file) => {
      const item = items.find((each) => each.key === key);
      const origin = origins.current.get(key);
      if (!item || !origin) return undefined;
      if (!isSameFile({ ...item, ...origin }, file)) return formatText(texts.differentFileError, { name: item.name });
      resumeWith(key, file);
      return undefined;
    },
    readAgain: async (key) => {
      const file = await readHandle(key, true);
      if (file) resumeWith(key, file);
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
    detach: (key) => dispatch({ kind: 'removed', key }),
    replaceMedia: (media) =>
      dispatch({
        kind: 'replaced',
        items: [
          ...media.map((each) => toMediaItem(each.media, each.alt)),
          ...items.filter((item) => isUploading(item) || item.state === 'lost'),
        ],
      }),
  };
}

const TUS = { 'tus-resumable': '1.0.0' };

function toItemChange(update: UploadUpdate): Partial<UploadItem> {
  if (update.state === 'done') return { state: 'processing', mediaId: update.mediaId, rate: undefined };
  return update;
}

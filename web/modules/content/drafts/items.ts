/**
 * A pure reducer for the files of a post that is being written, with changes from the user, the uploader and the
 * server.
 */

import type { Media } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PICTURE_LIMITS, POST_LIMITS, VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { formatBytes } from '../../../platform/bytes.ts';
import * as texts from './texts.ts';

/**
 * `waiting`: queued for upload. `offline`: the connection is lost, it resumes by itself. `lost`: the browser no longer
 * has the file, so it must be chosen again. `processing`: the upload is complete.
 */
export type UploadItemState =
  | 'waiting'
  | 'uploading'
  | 'paused'
  | 'offline'
  | 'lost'
  | 'processing'
  | 'ready'
  | 'failed';

export type UploadItem = {
  key: string;
  kind: Media['kind'];
  name: string;
  byteSize: number;
  sent: number;
  /** Bytes per second. Undefined until it can be measured. */
  rate: number | undefined;
  state: UploadItemState;
  failure: string | undefined;
  mediaId: string | undefined;
  stage: Media['stage'];
  /** Progress of the stage, 0 to 1. */
  progress: number;
  durationSeconds: number | null;
  isUsed: boolean;
  leftOutSubtitles: number;
  alt: string;
  /** URL of the local file or of the server's picture. */
  src: string;
};

export type UploadItemChange =
  | { kind: 'added'; items: readonly UploadItem[] }
  | { kind: 'inserted'; item: UploadItem; index: number }
  | { kind: 'changed'; key: string; change: Partial<UploadItem> }
  | { kind: 'received'; media: Media }
  | { kind: 'progressed'; id: string; stage: Media['stage']; progress: number }
  | { kind: 'moved'; key: string; to: number }
  | { kind: 'removed'; key: string }
  | { kind: 'replaced'; items: readonly UploadItem[] };

const NOT_UPLOADED = { sent: 0, rate: undefined, failure: undefined, mediaId: undefined } as const;
const NOT_PROCESSED = {
  stage: 'queued',
  progress: 0,
  durationSeconds: null,
  isUsed: false,
  leftOutSubtitles: 0,
} as const;

export function toUploadItem(key: string, file: Pick<File, 'name' | 'size' | 'type'>, src: string): UploadItem {
  const kind = guessKind(file) ?? 'picture';
  return {
    ...NOT_UPLOADED,
    ...NOT_PROCESSED,
    key,
    kind,
    name: file.name,
    byteSize: file.size,
    state: 'waiting',
    alt: '',
    src,
  };
}

function toItemFields(media: Media, src: string): Omit<UploadItem, 'key' | 'alt'> {
  return {
    kind: media.kind,
    name: media.title || media.fileName || 'Untitled',
    byteSize: media.byteSize,
    sent: media.byteSize,
    rate: undefined,
    state: media.status,
    failure: media.failure ?? undefined,
    mediaId: media.id,
    stage: media.stage,
    progress: media.progress,
    durationSeconds: media.durationSeconds,
    isUsed: media.isUsed,
    leftOutSubtitles: media.leftOutSubtitles,
    // Prefers the local file, which is available immediately. A local video has no URL to show.
    src: src || (media.picture?.url ?? ''),
  };
}

export function toMediaItem(media: Media, alt: string): UploadItem {
  return { key: media.id, alt, ...toItemFields(media, '') };
}

function moveItem(items: readonly UploadItem[], key: string, to: number): UploadItem[] {
  const item = items.find((each) => each.key === key);
  if (!item || to < 0 || to >= items.length) return [...items];
  const others = items.filter((other) => other !== item);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

export function itemsReducer(items: readonly UploadItem[], change: UploadItemChange): UploadItem[] {
  switch (change.kind) {
    case 'added':
      return [...items, ...change.items];
    case 'inserted': {
      const { item, index } = change;
      const isListed = items.some((each) => each.key === item.key || (item.mediaId && each.mediaId === item.mediaId));
      return isListed ? [...items] : [...items.slice(0, index), item, ...items.slice(index)];
    }
    case 'replaced':
      return [...change.items];
    case 'changed':
      return items.map((item) => (item.key === change.key ? { ...item, ...change.change } : item));
    case 'received':
      return items.map((item) =>
        item.mediaId === change.media.id
          ? { ...item, ...toItemFields(change.media, item.kind === 'picture' ? item.src : '') }
          : item,
      );
    case 'progressed':
      return items.map((item) =>
        item.mediaId === change.id ? { ...item, stage: change.stage, progress: change.progress } : item,
      );
    case 'moved':
      return moveItem(items, change.key, change.to);
    case 'removed':
      return items.filter((item) => item.key !== change.key);
  }
}

const PICTURES = /\.(?:jpe?g|png|webp|avif|heic|heif)$/i;
const VIDEOS = /\.(?:mp4|m4v|mov|webm|ogv|mkv)$/i;
const AUDIOS = /\.(?:mp3|m4a|aac|flac|wav|oga|opus|ogg)$/i;

/** Guesses the kind of a file from its type and name. The server checks the content. */
export function guessKind({ name, type }: Pick<File, 'name' | 'type'>): UploadItem['kind'] | undefined {
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'picture';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  if (PICTURES.test(name)) return 'picture';
  if (VIDEOS.test(name)) return 'video';
  return AUDIOS.test(name) ? 'audio' : undefined;
}

export function hasProblem({ state, isUsed }: Pick<UploadItem, 'state' | 'isUsed'>): boolean {
  return isUsed || state === 'failed' || state === 'lost';
}

export function findFileRefusal(file: Pick<File, 'name' | 'size' | 'type'>): string | undefined {
  const kind = guessKind(file);
  if (!kind) return formatText(texts.unsupportedFileError, { name: file.name });
  if (file.size === 0) return formatText(texts.fileEmptyError, { name: file.name });
  const max = kind === 'picture' ? PICTURE_LIMITS.maxBytes : VIDEO_LIMITS.maxBytes;
  return file.size > max
    ? formatText(texts.fileTooLargeError, { name: file.name, maxSize: formatBytes(max) })
    : undefined;
}

export function findMixError(items: readonly Pick<UploadItem, 'kind'>[]): string | undefined {
  if (items.length > POST_LIMITS.files) return formatText(texts.fileCountError, { files: POST_LIMITS.files });
  const isMixed = items.length > 1 && items.some(({ kind }) => kind !== 'picture');
  return isMixed ? texts.mixedFilesError : undefined;
}

/** Why the files cannot be published even when they are ready. */
export function findFilesProblem(items: readonly UploadItem[]): string | undefined {
  if (items.length === 0) return texts.addAtLeastOneFile;
  if (items.some(({ state }) => state === 'failed')) return texts.removeFailedFilesFirst;
  if (items.some(({ isUsed }) => isUsed)) return texts.filesUsedElsewhereError;
  if (items.some(({ state }) => state === 'lost')) return texts.missingFileError;
  return findMixError(items);
}

/** Whether files are still uploading or processing. A scheduled post only waits for uploads. */
export function arePending(items: readonly UploadItem[], isLater: boolean): boolean {
  return items.some((item) => isUploading(item) || (!isLater && item.state === 'processing'));
}

export function isUploading({ state }: Pick<UploadItem, 'state'>): boolean {
  return state === 'waiting' || state === 'uploading' || state === 'paused' || state === 'offline';
}

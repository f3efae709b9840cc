/**
 * A pure reducer for the files of a post that is being written, with changes from the user, the uploader and the
 * server.
 */
import { PICTURE, POST_LIMITS, VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import type { Media } from '@stagedoor/contract/media.ts';
import { formatBytes } from '../../kernel/bytes.ts';

/**
 * `waiting`: queued for upload. `offline`: the connection is lost, it resumes by itself. `lost`: the browser no longer
 * has the file, so it must be chosen again. `processing`: the upload is complete.
 */
export type ItemState = 'waiting' | 'uploading' | 'paused' | 'offline' | 'lost' | 'processing' | 'ready' | 'failed';

export type Item = {
  key: string;
  kind: Media['kind'];
  name: string;
  byteSize: number;
  sent: number;
  /** Bytes per second. Undefined until it can be measured. */
  rate: number | undefined;
  state: ItemState;
  failure: string | undefined;
  mediaId: string | undefined;
  stage: Media['stage'];
  /** Progress of the stage, 0 to 1. */
  progress: number;
  durationSeconds: number | null;
  isUsed: boolean;
  alt: string;
  /** URL of the local file or of the server's picture. */
  src: string;
};

export type ItemChange =
  | { kind: 'added'; items: readonly Item[] }
  | { kind: 'inserted'; item: Item; index: number }
  | { kind: 'changed'; key: string; change: Partial<Item> }
  | { kind: 'told'; media: Media }
  | { kind: 'progressed'; id: string; stage: Media['stage']; progress: number }
  | { kind: 'moved'; key: string; to: number }
  | { kind: 'removed'; key: string }
  | { kind: 'replaced'; items: readonly Item[] };

const FRESH = { sent: 0, rate: undefined, failure: undefined, mediaId: undefined } as const;
const UNMADE = { stage: 'queued', progress: 0, durationSeconds: null, isUsed: false } as const;

export function itemOfFile(key: string, file: Pick<File, 'name' | 'size' | 'type'>, src: string): Item {
  const kind = kindOf(file) ?? 'picture';
  return { ...FRESH, ...UNMADE, key, kind, name: file.name, byteSize: file.size, state: 'waiting', alt: '', src };
}

function toldOf(media: Media, src: string): Omit<Item, 'key' | 'alt'> {
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
    // Prefers the local file, which is available immediately. A local video has no URL to show.
    src: src || (media.picture?.url ?? ''),
  };
}

export function itemOfMedia(media: Media, alt: string): Item {
  return { key: media.id, alt, ...toldOf(media, '') };
}

function moved(items: readonly Item[], key: string, to: number): Item[] {
  const item = items.find((each) => each.key === key);
  if (!item || to < 0 || to >= items.length) return [...items];
  const others = items.filter((other) => other !== item);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

export function itemsReducer(items: readonly Item[], change: ItemChange): Item[] {
  switch (change.kind) {
    case 'added':
      return [...items, ...change.items];
    case 'inserted': {
      const { item, index } = change;
      const isThere = items.some((each) => each.key === item.key || (item.mediaId && each.mediaId === item.mediaId));
      return isThere ? [...items] : [...items.slice(0, index), item, ...items.slice(index)];
    }
    case 'replaced':
      return [...change.items];
    case 'changed':
      return items.map((item) => (item.key === change.key ? { ...item, ...change.change } : item));
    case 'told':
      return items.map((item) =>
        item.mediaId === change.media.id
          ? { ...item, ...toldOf(change.media, item.kind === 'picture' ? item.src : '') }
          : item,
      );
    case 'progressed':
      return items.map((item) =>
        item.mediaId === change.id ? { ...item, stage: change.stage, progress: change.progress } : item,
      );
    case 'moved':
      return moved(items, change.key, change.to);
    case 'removed':
      return items.filter((item) => item.key !== change.key);
  }
}

const PICTURES = /\.(?:jpe?g|png|webp|avif|heic|heif)$/i;
const VIDEOS = /\.(?:mp4|m4v|mov|webm|ogv|mkv)$/i;
const AUDIOS = /\.(?:mp3|m4a|aac|flac|wav|oga|opus|ogg)$/i;

/** Guesses the kind of a file from its type and name. The server checks the content. */
export function kindOf({ name, type }: Pick<File, 'name' | 'type'>): Item['kind'] | undefined {
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'picture';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  if (PICTURES.test(name)) return 'picture';
  if (VIDEOS.test(name)) return 'video';
  return AUDIOS.test(name) ? 'audio' : undefined;
}

export function isTrouble({ state, isUsed }: Pick<Item, 'state' | 'isUsed'>): boolean {
  return isUsed || state === 'failed' || state === 'lost';
}

export function refusalOf(file: Pick<File, 'name' | 'size' | 'type'>): string | undefined {
  const kind = kindOf(file);
  if (!kind) return `${file.name} isn’t supported. Use a photo, video or audio file.`;
  if (file.size === 0) return `${file.name} is empty.`;
  const most = kind === 'picture' ? PICTURE.maxBytes : VIDEO.maxBytes;
  return file.size > most ? `${file.name} is larger than ${formatBytes(most)}.` : undefined;
}

export function mixComplaint(items: readonly Pick<Item, 'kind'>[]): string | undefined {
  if (items.length > POST_LIMITS.files) return `A post can have up to ${POST_LIMITS.files} files.`;
  const isMixed = items.length > 1 && items.some(({ kind }) => kind !== 'picture');
  return isMixed ? 'A post can have photos, one video or one audio file. Remove the others.' : undefined;
}

export function filesComplaint(items: readonly Item[]): string | undefined {
  if (items.some(({ state }) => state === 'processing')) return 'Still processing. Try again in a moment.';
  return unfinishedComplaint(items);
}

/** Why the files cannot be scheduled. Uploaded files may still be processing then. */
export function unfinishedComplaint(items: readonly Item[]): string | undefined {
  if (items.length === 0) return 'Add at least one file';
  if (items.some(({ state }) => state === 'failed')) return 'Remove failed files first.';
  if (items.some(({ isUsed }) => isUsed)) return 'One of these files is already in another post. Remove it.';
  if (items.some(({ state }) => state === 'lost')) return 'Choose the missing file again or remove it.';
  if (items.some(({ state }) => state !== 'ready' && state !== 'processing'))
    return 'Still uploading. Try again in a moment.';
  return mixComplaint(items);
}

export function isUploading({ state }: Pick<Item, 'state'>): boolean {
  return state === 'waiting' || state === 'uploading' || state === 'paused' || state === 'offline';
}

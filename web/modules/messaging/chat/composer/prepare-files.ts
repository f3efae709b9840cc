import type { Media } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PICTURE_LIMITS, VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatBytes } from '../../../../platform/bytes.ts';
import type { OutboxFile } from '../outbox/queue.ts';
import * as texts from '../texts.ts';

const PICTURE_NAMES = /\.(?:jpe?g|png|webp|avif|gif|heic|heif)$/i;
const VIDEO_NAMES = /\.(?:mp4|webm|mov|m4v|ogv|mkv)$/i;
/** Recognises documents by their extension, as the contract lists them. The server checks them again. */
const DOCUMENT_NAMES = /\.(?:pdf|txt|csv|md|rtf|docx?|xlsx?|pptx?|od[tsp]|epub|zip)$/i;
const MEASURE_MS = 2_000;

export const MEDIA_ACCEPT = 'image/*,video/*,.heic,.heif';
export const DOCUMENT_ACCEPT = '.pdf,.txt,.csv,.md,.rtf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp,.epub,.zip';

/** Drops the marks that could turn a file name around. The server drops them too. */
export const dropDirectionMarks = (name: string): string =>
  name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

type FileInfo = { name: string; type: string; size: number };

const UNSUPPORTED_TYPES =
  /^(?:image\/(?!(?:jpe?g|pjpeg|png|webp|avif|gif|hei[cf])$)|video\/(?:mpeg|mp2t|x-flv|x-ms-|vnd\.))|\.(?:tiff?|bmp|psd|dng|cr[23]|nef|arw|wmv|flv|mpe?g|m2?ts)$/i;
/** Every supported browser can decode these types, so a file that fails is broken. */
const DECODED_EVERYWHERE = /^image\/(?:jpeg|png|webp|gif)$/;

export function findFileKind({ name, type }: FileInfo): OutboxFile['kind'] | undefined {
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'picture';
  if (type.startsWith('video/')) return 'video';
  if (PICTURE_NAMES.test(name)) return 'picture';
  if (VIDEO_NAMES.test(name)) return 'video';
  return DOCUMENT_NAMES.test(name) ? 'document' : undefined;
}

export function findFileProblem(file: FileInfo, isFan: boolean): string | undefined {
  const kind = findFileKind(file);
  if (kind !== 'document' && UNSUPPORTED_TYPES.test(file.type || file.name))
    return formatText(texts.unsupportedMediaError, { fileName: file.name });
  if (!kind) return formatText(texts.unsupportedFileError, { fileName: file.name });
  if (file.size === 0) return formatText(texts.emptyFileError, { fileName: file.name });
  const video = isFan ? CHAT_LIMITS.fanUploadBytes : VIDEO_LIMITS.maxBytes;
  const max = kind === 'picture' ? PICTURE_LIMITS.maxBytes : kind === 'video' ? video : CHAT_LIMITS.documentBytes;
  if (file.size > max) return formatText(texts.fileTooLargeError, { fileName: file.name, maxSize: formatBytes(max) });
  return undefined;
}

async function measurePicture(blob: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

function measureVideo(url: string): Promise<{ width: number; height: number }> {
  return new Promise((resolve, reject) => {
    const video = document.createElement('video');
    video.preload = 'metadata';
    video.onloadedmetadata = () => resolve({ width: video.videoWidth, height: video.videoHeight });
    video.onerror = () => reject(new Error('not shown here'));
    video.src = url;
    setTimeout(() => reject(new Error('too slow')), MEASURE_MS);
  });
}

/**
 * Prepares a chosen file for the outbox, or returns why it cannot be used. A picture in a format that this browser
 * cannot decode gets the size 0.
 */
export async function prepareFile(file: File): Promise<OutboxFile | { refusal: string }> {
  const kind = findFileKind(file) ?? 'document';
  const outboxFile = {
    key: crypto.randomUUID(),
    name: dropDirectionMarks(file.name),
    type: file.type,
    kind,
    blob: file,
    width: 0,
    height: 0,
  };
  if (kind === 'document') return outboxFile;
  const url = kind === 'video' ? URL.createObjectURL(file) : undefined;
  try {
    const size = url ? await measureVideo(url) : await measurePicture(file);
    if (kind === 'picture' && size.width * size.height > PICTURE_LIMITS.maxPixels)
      return {
        refusal: formatText(texts.photoTooManyPixelsError, {
          fileName: file.name,
          maxMegapixels: PICTURE_LIMITS.maxPixels / 1_000_000,
        }),
      };
    return { ...outboxFile, ...size };
  } catch {
    return DECODED_EVERYWHERE.test(file.type)
      ? { refusal: formatText(texts.damagedPhotoError, { fileName: file.name }) }
      : outboxFile;
  } finally {
    if (url) URL.revokeObjectURL(url);
  }
}

/**
 * Prepares a file of the creator's library for the outbox, with its preview. Rejects when the preview cannot be loaded.
 */
export async function prepareLibraryFile({ id, title, fileName, picture }: Media): Promise<OutboxFile> {
  if (!picture) throw new Error('not ready');
  const response = await fetch(picture.url);
  if (!response.ok) throw new Error(`the picture answered ${response.status}`);
  const blob = await response.blob();
  const { width, height } = picture;
  return {
    key: crypto.randomUUID(),
    name: title || fileName,
    type: blob.type,
    kind: 'picture',
    ...{ blob, width, height },
    mediaId: id,
  };
}

/** Groups files into messages of at most ten files: pictures and videos together, documents together. */
export function groupFiles<F extends Pick<OutboxFile, 'kind'>>(files: readonly F[]): F[][] {
  const media = files.filter(({ kind }) => kind === 'picture' || kind === 'video');
  const documents = files.filter(({ kind }) => kind === 'document');
  return [media, documents].flatMap((group) => {
    const groups: F[][] = [];
    for (let start = 0; start < group.length; start += CHAT_LIMITS.files)
      groups.push(group.slice(start, start + CHAT_LIMITS.files));
    return groups;
  });
}

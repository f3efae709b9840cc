/** Media as people see them. A locked one is made of its preview alone: nothing here puts an open address into it. */

import type { Media as LibraryMedia } from '@stagedoor/contract/media.ts';
import type { Picture, PostMedia } from '@stagedoor/contract/pictures.ts';
import type { Media } from '@stagedoor/contract/posts.ts';
import { PRIVATE_ASSET_PATH } from '@stagedoor/contract/posts.ts';
import type { MediaFacts, MediaRow } from './store.ts';

const PREVIEW_WIDTH = 640;

type Where = 'post' | 'media';

function addresses(media: MediaFacts, where: Where): { before: string; after: string } {
  return media.is_public
    ? { before: `/media/public/m/${media.id}/`, after: '' }
    : { before: `/api${PRIVATE_ASSET_PATH}?fileKey=m/${media.id}/`, after: `&tblType=${where}` };
}

/** An open picture, with every width there is. `where` says by which right it is asked for. */
export function presentPicture(media: MediaFacts, alt: string, where: Where = 'post'): Picture {
  const { before, after } = addresses(media, where);
  const srcset = (widths: readonly number[], ending: string) =>
    widths.map((width) => `${before}${width}.${ending}${after} ${width}w`).join(', ');
  const sources: Picture['sources'] = [];
  if (media.avif_widths.length > 0) sources.push({ type: 'image/avif', srcset: srcset(media.avif_widths, 'avif') });
  if (media.webp_widths.length > 0) sources.push({ type: 'image/webp', srcset: srcset(media.webp_widths, 'webp') });
  return {
    url: `${before}${media.jpeg_width ?? 1080}.jpg${after}`,
    width: media.width ?? 0,
    height: media.height ?? 0,
    alt,
    thumbhash: media.thumbhash,
    sources,
  };
}

/** The preview that a locked one shows. Its address is public and says nothing of the original's. */
export function presentPreview(media: MediaFacts): Picture {
  return {
    url: `/media/public/p/${media.id}/preview.webp`,
    width: PREVIEW_WIDTH,
    height: media.preview_height ?? PREVIEW_WIDTH,
    // The creator's words describe what is sold.
    alt: '',
    thumbhash: media.preview_thumbhash,
    sources: [],
  };
}

/** One medium of a post, open or locked. */
export function presentPostMedia(media: MediaFacts, alt: string, isOpen: boolean): PostMedia {
  const shared = { id: media.id, kind: media.kind, byteSize: media.byte_size, durationSeconds: media.duration_seconds };
  if (isOpen) return { ...shared, isLocked: false, picture: presentPicture(media, alt), stream: null };
  return {
    ...shared,
    isLocked: true,
    width: media.width ?? 0,
    height: media.height ?? 0,
    preview: presentPreview(media),
    teaser: null,
  };
}

/** An upload in the library of its owner. */
export function presentOwnMedia(row: MediaRow): LibraryMedia {
  const isReady = row.status === 'ready';
  return {
    id: row.id,
    kind: row.kind,
    status: row.status === 'uploading' ? 'processing' : row.status,
    stage: row.status === 'processing' || row.status === 'uploading' ? 'queued' : 'done',
    progress: 0,
    failure: row.failure,
    fileName: row.file_name,
    title: '',
    tags: [],
    price: 0,
    byteSize: row.byte_size,
    width: row.width,
    height: row.height,
    durationSeconds: row.duration_seconds,
    createdAt: row.created_at.toISOString(),
    picture: isReady ? presentPicture(row, '', 'media') : null,
    stream: null,
    captions: [],
    teaser: null,
    isUsed: row.used_at !== null,
  };
}

/** An upload, to its owner. */
export function presentUpload(row: MediaRow): Media {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status === 'uploading' ? 'processing' : row.status,
    failure: row.failure,
    fileName: row.file_name,
    byteSize: row.byte_size,
    picture: row.status === 'ready' ? presentPicture(row, '', 'media') : null,
  };
}

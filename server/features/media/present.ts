/** Security: a locked medium contains only its preview, never the address of an open file. */

import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Media } from '@stagedoor/contract/media.ts';
import type { CaptionTrack, Picture, PostMedia, Stream } from '@stagedoor/contract/pictures.ts';
import { PRIVATE_ASSET_PATH } from '@stagedoor/contract/posts.ts';
import { teaserFile } from './files.ts';
import { contentTypeOf, pictureFile } from './keys.ts';
import { srcsetWidths } from './pictures.ts';
import type { MediaFacts, MediaRow } from './store.ts';

const PREVIEW_WIDTH = 640;

/** A `tblType`, the right under which media are requested (row C9). */
export type Where = string;

function addresses(media: MediaFacts, where: Where): { before: string; after: string } {
  return media.is_public
    ? { before: `/media/public/m/${media.id}/`, after: '' }
    : { before: `/api${PRIVATE_ASSET_PATH}?fileKey=m/${media.id}/`, after: `&tblType=${where}` };
}

/** Uses path addresses, so that files named by a playlist are requested under the same right. */
function pathOf(media: MediaFacts, where: Where): string {
  return media.is_public ? `/media/public/m/${media.id}/` : `/api${PRIVATE_ASSET_PATH}/${where}/m/${media.id}/`;
}

export function presentPicture(media: MediaFacts, alt: string, where: Where = 'post'): Picture {
  const { before, after } = addresses(media, where);
  const address = (file: string, serial = media.picture_serial) => `${before}${pictureFile(serial, file)}${after}`;
  const srcset = (widths: readonly number[], ending: string, serial?: number) =>
    widths.map((width) => `${address(`${width}.${ending}`, serial)} ${width}w`).join(', ');
  const sources: Picture['sources'] = [];
  if (media.avif_widths.length > 0)
    sources.push({ type: 'image/avif', srcset: srcset(media.avif_widths, 'avif', media.avif_serial) });
  if (media.webp_widths.length > 0)
    sources.push({ type: 'image/webp', srcset: srcset(srcsetWidths(media.webp_widths), 'webp') });
  return {
    url: address(`${media.jpeg_width ?? 1080}.jpg`),
    width: media.width ?? 0,
    height: media.height ?? 0,
    alt,
    thumbhash: media.thumbhash,
    sources,
  };
}

function presentCaptions(media: MediaFacts, where: Where): CaptionTrack[] {
  const base = pathOf(media, where);
  return media.captions.map(({ language, label, file }) => ({ language, label, url: `${base}c/${file}` }));
}

export function presentStream(media: MediaFacts, where: Where = 'post'): Stream | null {
  if (!media.stream) return null;
  const base = pathOf(media, where);
  const { hls, file, sprite, waveform, isLoop = false } = media.stream;
  return {
    hls: hls === null ? null : `${base}${hls}`,
    file: file === null ? null : `${base}${file}`,
    fileType: file === null ? null : contentTypeOf(file),
    sprite: sprite && { ...sprite, url: `${base}${sprite.file}` },
    waveform,
    isLoop,
    captions: presentCaptions(media, where),
  };
}

function presentTeaser(media: MediaFacts) {
  if (media.teaser_seconds === null) return null;
  const file = teaserFile(media, media.teaser_serial);
  return { file: `/media/public/t/${media.id}/${file}`, fileType: contentTypeOf(file), seconds: media.teaser_seconds };
}

/** The address is public and does not reveal the original's. */
export function presentPreview(media: MediaFacts): Picture {
  return {
    url: `/media/public/p/${media.id}/${pictureFile(media.picture_serial, 'preview.webp')}`,
    width: PREVIEW_WIDTH,
    height: media.preview_height ?? PREVIEW_WIDTH,
    // The alt text describes what is sold.
    alt: '',
    thumbhash: media.preview_thumbhash,
    sources: [],
  };
}

export function presentPostMedia(media: MediaFacts, alt: string, isOpen: boolean, where: Where = 'post'): PostMedia {
  const shared = { id: media.id, kind: media.kind, byteSize: media.byte_size, durationSeconds: media.duration_seconds };
  if (isOpen)
    return {
      ...shared,
      isLocked: false,
      picture: presentPicture(media, alt, where),
      stream: presentStream(media, where),
    };
  return {
    ...shared,
    isLocked: true,
    width: media.width ?? 0,
    height: media.height ?? 0,
    preview: presentPreview(media),
    teaser: presentTeaser(media),
  };
}

export function presentUpload(row: MediaRow): Media {
  const isReady = row.status === 'ready';
  const { teaser_start: start, teaser_end: end } = row;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status === 'uploading' ? 'processing' : row.status,
    stage: row.stage,
    progress: row.stage === 'done' && isReady ? 1 : row.progress,
    failure: row.failure,
    fileName: row.file_name,
    title: row.title,
    tags: row.tags,
    price: toUsd(row.price_cents),
    byteSize: row.byte_size,
    width: row.width,
    height: row.height,
    durationSeconds: row.duration_seconds,
    createdAt: row.created_at.toISOString(),
    picture: isReady ? presentPicture(row, '', 'media') : null,
    stream: isReady ? presentStream(row, 'media') : null,
    captions: presentCaptions(row, 'media'),
    teaser: start === null || end === null ? null : { start, end },
    isUsed: row.used_at !== null,
  };
}

/** Security: a locked medium contains only its preview, never the address of an open file. */

import type { Media } from '@stagedoor/contract/content/media.ts';
import type { CaptionTrack, Picture, PostMedia, Stream } from '@stagedoor/contract/content/pictures.ts';
import { PRIVATE_ASSET_PATH } from '@stagedoor/contract/content/posts.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import { filterSrcsetWidths } from '../media-processing/index.ts';
import { teaserFile } from './files.ts';
import { getContentType, pictureFile } from './keys.ts';
import type { MediaMetadata, MediaRow } from './store.ts';

const PREVIEW_WIDTH = 640;

/** A `tblType`, the right under which media are requested (row C9). */
export type AssetType = string;

function toAddressParts(media: MediaMetadata, assetType: AssetType): { before: string; after: string } {
  return media.is_public
    ? { before: `/media/public/m/${media.id}/`, after: '' }
    : { before: `/api${PRIVATE_ASSET_PATH}?fileKey=m/${media.id}/`, after: `&tblType=${assetType}` };
}

/** Uses path addresses, so that files named by a playlist are requested under the same right. */
function toBasePath(media: MediaMetadata, assetType: AssetType): string {
  return media.is_public ? `/media/public/m/${media.id}/` : `/api${PRIVATE_ASSET_PATH}/${assetType}/m/${media.id}/`;
}

export function presentPicture(media: MediaMetadata, alt: string, assetType: AssetType = 'post'): Picture {
  const { before, after } = toAddressParts(media, assetType);
  const toUrl = (file: string, serial = media.picture_serial) => `${before}${pictureFile(serial, file)}${after}`;
  const srcset = (widths: readonly number[], extension: string, serial?: number) =>
    widths.map((width) => `${toUrl(`${width}.${extension}`, serial)} ${width}w`).join(', ');
  const sources: Picture['sources'] = [];
  if (media.avif_widths.length > 0)
    sources.push({ type: 'image/avif', srcset: srcset(media.avif_widths, 'avif', media.avif_serial) });
  if (media.webp_widths.length > 0)
    sources.push({ type: 'image/webp', srcset: srcset(filterSrcsetWidths(media.webp_widths), 'webp') });
  return {
    url: toUrl(`${media.jpeg_width ?? 1080}.jpg`),
    width: media.width ?? 0,
    height: media.height ?? 0,
    alt,
    thumbhash: media.thumbhash,
    sources,
  };
}

function presentCaptions(media: MediaMetadata, assetType: AssetType): CaptionTrack[] {
  const base = toBasePath(media, assetType);
  return media.captions.map(({ language, label, file }) => ({ language, label, url: `${base}c/${file}` }));
}

export function presentStream(media: MediaMetadata, assetType: AssetType = 'post'): Stream | null {
  if (!media.stream) return null;
  const base = toBasePath(media, assetType);
  const { hls, file, sprite, waveform, isLoop = false } = media.stream;
  return {
    hls: hls === null ? null : `${base}${hls}`,
    file: file === null ? null : `${base}${file}`,
    fileType: file === null ? null : getContentType(file),
    sprite: sprite && { ...sprite, url: `${base}${sprite.file}` },
    waveform,
    isLoop,
    captions: presentCaptions(media, assetType),
  };
}

function presentTeaser(media: MediaMetadata) {
  if (media.teaser_seconds === null) return null;
  const file = teaserFile(media, media.teaser_serial);
  return { file: `/media/public/t/${media.id}/${file}`, fileType: getContentType(file), seconds: media.teaser_seconds };
}

/** The address is public and does not reveal the original's. */
export function presentPreview(media: MediaMetadata): Picture {
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

export function presentPostMedia(
  media: MediaMetadata,
  alt: string,
  isOpen: boolean,
  assetType: AssetType = 'post',
): PostMedia {
  const shared = { id: media.id, kind: media.kind, byteSize: media.byte_size, durationSeconds: media.duration_seconds };
  if (isOpen)
    return {
      ...shared,
      isLocked: false,
      picture: presentPicture(media, alt, assetType),
      stream: presentStream(media, assetType),
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
    leftOutSubtitles: row.source?.leftOutSubtitles ?? 0,
    teaser: start === null || end === null ? null : { start, end },
    isUsed: row.used_at !== null,
  };
}

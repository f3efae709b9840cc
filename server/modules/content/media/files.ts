import type { Context } from '../../../platform/context.ts';
import {
  clipKey,
  listSerialPrefixes,
  originalKey,
  pictureFile,
  previewKey,
  teaserKey,
  toRenditionPath,
  toSerialPath,
  variantKey,
} from './keys.ts';
import type { MediaRow } from './store.ts';

export function teaserFile({ kind }: Pick<MediaRow, 'kind'>, serial: number): string {
  return `${serial}.${kind === 'audio' ? 'm4a' : 'mp4'}`;
}

type PictureColumns = Pick<
  MediaRow,
  'id' | 'webp_widths' | 'avif_widths' | 'jpeg_width' | 'picture_serial' | 'avif_serial'
>;

export function listPictureKeys(row: PictureColumns): string[] {
  const { id, picture_serial: serial } = row;
  const originals = [
    ...row.webp_widths.map((width) => `${width}.webp`),
    ...(row.jpeg_width === null ? [] : [`${row.jpeg_width}.jpg`]),
  ];
  return [
    ...originals.map((file) => variantKey(id, pictureFile(serial, file))),
    ...row.avif_widths.map((width) => variantKey(id, pictureFile(row.avif_serial, `${width}.avif`))),
    ...['preview.webp', 'preview.jpg'].map((file) => previewKey(id, pictureFile(serial, file))),
  ];
}

function listStreamKeys({ id, stream, source }: MediaRow): string[] {
  if (!stream) return [];
  const files = [stream.hls, stream.file, stream.sprite?.file].filter((file) => typeof file === 'string');
  if (stream.hls !== null)
    for (const rendition of source?.renditions ?? [])
      files.push(toRenditionPath(rendition, 'm3u8'), toRenditionPath(rendition, 'mp4'));
  const { clip } = stream;
  return [
    ...files.map((file) => variantKey(id, file)),
    ...(clip === null ? [] : [clipKey(id, clip), previewKey(id, toSerialPath(clip, 'preview.gif'))]),
  ];
}

/** Returns every file that must exist: only the original while processing, none after a failure. */
export function listFileKeys(row: MediaRow): string[] {
  if (row.status === 'processing') return [originalKey(row.id)];
  if (row.status !== 'ready') return [];
  return [
    ...listPictureKeys(row),
    ...listStreamKeys(row),
    ...row.captions.map(({ file }) => variantKey(row.id, `c/${file}`)),
    ...(row.teaser_seconds === null ? [] : [teaserKey(row.id, teaserFile(row, row.teaser_serial))]),
  ];
}

/** Call it only if no row refers to any of these files. If that is unknown, leave them to the audit. */
export async function deleteSerialFiles(
  { storage }: Pick<Context, 'storage'>,
  id: string,
  serial: number,
): Promise<void> {
  for (const prefix of listSerialPrefixes(id, serial)) await storage.removeAll(prefix);
}

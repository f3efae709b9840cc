import type { Context } from '../../kernel/context.ts';
import {
  clipKey,
  originalKey,
  pictureFile,
  prefixesOfSerial,
  previewKey,
  rungFile,
  teaserKey,
  underSerial,
  variantKey,
} from './keys.ts';
import type { MediaRow } from './store.ts';

export function teaserFile({ kind }: Pick<MediaRow, 'kind'>, serial: number): string {
  return `${serial}.${kind === 'audio' ? 'm4a' : 'mp4'}`;
}

type PictureOf = Pick<MediaRow, 'id' | 'webp_widths' | 'avif_widths' | 'jpeg_width' | 'picture_serial' | 'avif_serial'>;

export function pictureKeys(row: PictureOf): string[] {
  const { id, picture_serial: serial } = row;
  const own = [
    ...row.webp_widths.map((width) => `${width}.webp`),
    ...(row.jpeg_width === null ? [] : [`${row.jpeg_width}.jpg`]),
  ];
  return [
    ...own.map((file) => variantKey(id, pictureFile(serial, file))),
    ...row.avif_widths.map((width) => variantKey(id, pictureFile(row.avif_serial, `${width}.avif`))),
    ...['preview.webp', 'preview.jpg'].map((file) => previewKey(id, pictureFile(serial, file))),
  ];
}

function streamKeys({ id, stream, source }: MediaRow): string[] {
  if (!stream) return [];
  const files = [stream.hls, stream.file, stream.sprite?.file].filter((file) => typeof file === 'string');
  if (stream.hls !== null)
    for (const rung of source?.rungs ?? []) files.push(rungFile(rung, 'm3u8'), rungFile(rung, 'mp4'));
  const { clip } = stream;
  return [
    ...files.map((file) => variantKey(id, file)),
    ...(clip === null ? [] : [clipKey(id, clip), previewKey(id, underSerial(clip, 'preview.gif'))]),
  ];
}

/** Returns every file that must exist: only the original while processing, none after a failure. */
export function keysOf(row: MediaRow): string[] {
  if (row.status === 'processing') return [originalKey(row.id)];
  if (row.status !== 'ready') return [];
  return [
    ...pictureKeys(row),
    ...streamKeys(row),
    ...row.captions.map(({ file }) => variantKey(row.id, `c/${file}`)),
    ...(row.teaser_seconds === null ? [] : [teaserKey(row.id, teaserFile(row, row.teaser_serial))]),
  ];
}

/** Call it only if no row refers to any of these files. If that is unknown, leave them to the audit. */
export async function discardSerial({ storage }: Pick<Context, 'storage'>, id: string, serial: number): Promise<void> {
  for (const prefix of prefixesOfSerial(id, serial)) await storage.removeAll(prefix);
}

/**
 * Keys and addresses consist of ids, never of names given by users. Every writer takes a new number for the medium (its
 * serial) and writes only under it, so that concurrent writers never touch each other's files. The row names the serial that
 * counts.
 */

export const variantPrefix = (id: string): string => `private/m/${id}`;
/** Pictures are `{width}.webp|avif|jpg`, `h/` is HLS, `f/` plain files, `c/` captions. */
export const variantKey = (id: string, file: string): string => `${variantPrefix(id)}/${file}`;
/** The original is read only by processing and never served. */
export const originalKey = (id: string): string => `private/o/${id}`;
/** Animated previews, reachable only through the address of a post (row C6). */
export const clipPrefix = (id: string): string => `private/g/${id}`;
export const clipKey = (id: string, serial: number): string => `${clipPrefix(id)}/${toSerialPath(serial, 'open.gif')}`;
export const previewPrefix = (id: string): string => `public/p/${id}`;
export const previewKey = (id: string, file: string): string => `${previewPrefix(id)}/${file}`;
export const teaserPrefix = (id: string): string => `public/t/${id}`;
export const teaserKey = (id: string, file: string): string => `${teaserPrefix(id)}/${file}`;

/** Files from before serials have serial 0. */
export function toSerialPath(serial: number, file: string): string {
  return serial === 0 ? file : `${serial}/${file}`;
}

/** Posters from before serials have negative numbers. */
export function pictureFile(serial: number, file: string): string {
  return serial < 0 ? `p${-serial}-${file}` : toSerialPath(serial, file);
}

export function toRenditionPath(
  { name, serial = 0 }: { name: string; serial?: number },
  extension: 'm3u8' | 'mp4',
): string {
  return toSerialPath(serial, `h/${name}.${extension}`);
}

export function listSerialPrefixes(id: string, serial: number): string[] {
  return [variantPrefix(id), previewPrefix(id), clipPrefix(id)].map((prefix) => `${prefix}/${serial}`);
}

export const MEDIA_FOLDERS = ['private/m', 'private/o', 'private/g', 'public/p', 'public/t'] as const;

/** The result is not necessarily a valid id. */
export function parseMediaId(key: string): string {
  return key.split('/')[2] ?? '';
}

export function listMediaPrefixes(id: string): string[] {
  return [originalKey(id), variantPrefix(id), previewPrefix(id), teaserPrefix(id), clipPrefix(id)];
}

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const SERIAL = String.raw`[1-9]\d{0,8}/`;
const FILE = String.raw`\d{1,5}\.(?:webp|avif|jpg)|h/[a-z0-9]{1,12}\.(?:m3u8|mp4)|f/[a-z0-9-]{1,20}\.(?:mp4|m4a|webp)`;
const UNNUMBERED = String.raw`p\d{1,6}-\d{1,5}\.(?:webp|avif|jpg)|c/\d{1,6}\.vtt`;
const VARIANT = new RegExp(`^m/(${ID})/((?:${SERIAL})?(?:${FILE})|${UNNUMBERED})$`);
const PREVIEW = new RegExp(String.raw`^p/(${ID})/(?:p\d{1,6}-|${SERIAL})?preview\.(?:webp|jpg|gif)$`);
const TEASER = new RegExp(String.raw`^t/(${ID})/\d{1,6}\.(?:mp4|m4a)$`);
/** Avatars and covers: owner, serial, width. */
const PROFILE_PICTURE = new RegExp(`^[ac]/${ID}/[0-9a-z]{4,40}/\\d{1,5}\\.(?:webp|jpg)$`);

const CONTENT_TYPES: Record<string, string> = {
  webp: 'image/webp',
  avif: 'image/avif',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  m3u8: 'application/vnd.apple.mpegurl',
  vtt: 'text/vtt; charset=utf-8',
};

const FOLDER = new RegExp(`^private/m/(${ID})$`);

export function parseFolderMediaId(prefix: string): string | undefined {
  return FOLDER.exec(prefix)?.[1];
}

export function getContentType(file: string): string {
  return CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

export type ParsedVariant = { id: string; file: string; key: string };

/** Returns undefined for files that are not pictures. AVIF would take too long to encode. */
export function findWatermarkFormat({ file }: ParsedVariant): 'webp' | 'jpg' | undefined {
  const match = /^(?:p\d+-|\d+\/)?\d+\.(webp|avif|jpg)$/.exec(file);
  if (!match) return undefined;
  return match[1] === 'jpg' ? 'jpg' : 'webp';
}

export function parseVariantKey(fileKey: string): ParsedVariant | undefined {
  const match = VARIANT.exec(fileKey);
  if (!match?.[1] || !match[2]) return undefined;
  return { id: match[1], file: match[2], key: variantKey(match[1], match[2]) };
}

export function parsePublicKey(name: string): { key: string; mediaId: string | undefined } | undefined {
  const key = `public/${name}`;
  const mediaId = (PREVIEW.exec(name) ?? TEASER.exec(name))?.[1];
  return mediaId !== undefined || PROFILE_PICTURE.test(name) ? { key, mediaId } : undefined;
}

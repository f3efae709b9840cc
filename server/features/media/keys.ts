/**
 * Where files lie in the store, and by which address they are asked for. Both are made of ids, never of a name somebody gave.
 * Whoever writes files of a medium takes a number for it (its serial) and writes under that number alone: two who do the same
 * work never touch each other's files, and the row says whose count.
 */

export const variantPrefix = (id: string): string => `private/m/${id}`;
/** Open files, under their serial: pictures `{width}.webp|avif|jpg`, `h/` for HLS, `f/` for plain files; `c/` for captions. */
export const variantKey = (id: string, file: string): string => `${variantPrefix(id)}/${file}`;
/** What was uploaded, untouched; read by processing only, served to nobody. */
export const originalKey = (id: string): string => `private/o/${id}`;
/** Moving previews (row C6), asked for by a post's address only. */
export const clipPrefix = (id: string): string => `private/g/${id}`;
export const clipKey = (id: string, serial: number): string => `${clipPrefix(id)}/${underSerial(serial, 'open.gif')}`;
export const previewPrefix = (id: string): string => `public/p/${id}`;
/** What everybody may see of a locked one. */
export const previewKey = (id: string, file: string): string => `${previewPrefix(id)}/${file}`;
export const teaserPrefix = (id: string): string => `public/t/${id}`;
/** A free taste of a locked one. */
export const teaserKey = (id: string, file: string): string => `${teaserPrefix(id)}/${file}`;

/** The name in a medium's folder of a file that was written under that number. What is older than the numbers has 0. */
export function underSerial(serial: number, file: string): string {
  return serial === 0 ? file : `${serial}/${file}`;
}

/** As {@link underSerial}, for files of a picture: posters that are older than the numbers of all else have negative ones. */
export function pictureFile(serial: number, file: string): string {
  return serial < 0 ? `p${-serial}-${file}` : underSerial(serial, file);
}

/** A file of one rung of a video. */
export function rungFile({ name, serial = 0 }: { name: string; serial?: number }, ending: 'm3u8' | 'mp4'): string {
  return underSerial(serial, `h/${name}.${ending}`);
}

/** The folders of what was written under that number. */
export function prefixesOfSerial(id: string, serial: number): string[] {
  return [variantPrefix(id), previewPrefix(id), clipPrefix(id)].map((prefix) => `${prefix}/${serial}`);
}

/** Where files of media lie, each below its id or named by it. */
export const FOLDERS = ['private/m', 'private/o', 'private/g', 'public/p', 'public/t'] as const;

/** The id, or what stands in its place, of a key in one of {@link FOLDERS}. */
export function mediumOf(key: string): string {
  return key.split('/')[2] ?? '';
}

/** Every place where files of a medium are or may be. */
export function prefixesOf(id: string): string[] {
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
const PORTRAIT = new RegExp(`^[ac]/${ID}/[0-9a-z]{4,40}/\\d{1,5}\\.(?:webp|jpg)$`);

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

/** The medium whose open files lie in that folder, all of them. */
export function mediumOfFolder(prefix: string): string | undefined {
  return FOLDER.exec(prefix)?.[1];
}

/** The type of a file we made, by its ending. */
export function contentTypeOf(file: string): string {
  return CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

export type VariantName = { id: string; file: string; key: string };

/** The form in which a marked copy of that variant is delivered; nothing for what is no picture. AVIF takes too long to make. */
export function markedForm({ file }: VariantName): 'webp' | 'jpg' | undefined {
  const match = /^(?:p\d+-|\d+\/)?\d+\.(webp|avif|jpg)$/.exec(file);
  if (!match) return undefined;
  return match[1] === 'jpg' ? 'jpg' : 'webp';
}

/** A variant named `m/{id}/{file}`, or nothing. */
export function parseVariant(fileKey: string): VariantName | undefined {
  const match = VARIANT.exec(fileKey);
  if (!match?.[1] || !match[2]) return undefined;
  return { id: match[1], file: match[2], key: variantKey(match[1], match[2]) };
}

/** The store's key of something that is public by nature (previews, teasers, avatars, covers), and of which medium; or nothing. */
export function parsePublic(name: string): { key: string; mediaId: string | undefined } | undefined {
  const key = `public/${name}`;
  const mediaId = (PREVIEW.exec(name) ?? TEASER.exec(name))?.[1];
  return mediaId !== undefined || PORTRAIT.test(name) ? { key, mediaId } : undefined;
}

/** Where files lie in the store, and by which address they are asked for. Both are made of ids, never of a name somebody gave. */

export const variantPrefix = (id: string): string => `private/m/${id}`;
/** Open files: pictures `{width}.webp|avif|jpg`, `h/` for HLS, `f/` for plain files, `c/` for captions. */
export const variantKey = (id: string, file: string): string => `${variantPrefix(id)}/${file}`;
/** The one open file that is written anew under its name: the playlist that gains rungs. */
export const MASTER = 'h/master.m3u8';
/** What was uploaded, untouched; read by processing only, served to nobody. */
export const originalKey = (id: string): string => `private/o/${id}`;
/** Moving previews (row C6), asked for by a post's address only. */
export const clipPrefix = (id: string): string => `private/g/${id}`;
export const clipKey = (id: string): string => `${clipPrefix(id)}/open.gif`;
export const previewPrefix = (id: string): string => `public/p/${id}`;
/** What everybody may see of a locked one. */
export const previewKey = (id: string, file: string): string => `${previewPrefix(id)}/${file}`;
export const teaserPrefix = (id: string): string => `public/t/${id}`;
/** A free taste of a locked one. */
export const teaserKey = (id: string, file: string): string => `${teaserPrefix(id)}/${file}`;

/** A picture's file by which of a medium's pictures it belongs to: the first has no mark, later posters have. */
export function pictureFile(serial: number, file: string): string {
  return serial === 0 ? file : `p${serial}-${file}`;
}

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const PICTURE = String.raw`(?:p\d{1,6}-)?\d{1,5}\.(?:webp|avif|jpg)`;
const STREAM = String.raw`h/[a-z0-9]{1,12}\.(?:m3u8|mp4)|f/[a-z0-9-]{1,20}\.(?:mp4|m4a|webp)|c/\d{1,6}\.vtt`;
const VARIANT = new RegExp(`^m/(${ID})/(${PICTURE}|${STREAM})$`);
const PREVIEW = new RegExp(String.raw`^p/${ID}/(?:p\d{1,6}-)?preview\.(?:webp|jpg|gif)$`);
const TEASER = new RegExp(String.raw`^t/${ID}/\d{1,6}\.(?:mp4|m4a)$`);
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

/** The type of a file we made, by its ending. */
export function contentTypeOf(file: string): string {
  return CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

export type VariantName = { id: string; file: string; key: string };

/** The form in which a marked copy of that variant is delivered; nothing for what is no picture. AVIF takes too long to make. */
export function markedForm({ file }: VariantName): 'webp' | 'jpg' | undefined {
  const match = /^(?:p\d+-)?\d+\.(webp|avif|jpg)$/.exec(file);
  if (!match) return undefined;
  return match[1] === 'jpg' ? 'jpg' : 'webp';
}

/** A variant named `m/{id}/{file}`, or nothing. */
export function parseVariant(fileKey: string): VariantName | undefined {
  const match = VARIANT.exec(fileKey);
  if (!match?.[1] || !match[2]) return undefined;
  return { id: match[1], file: match[2], key: variantKey(match[1], match[2]) };
}

/** The store's key of something that is public by nature (previews, teasers, avatars, covers), or nothing. */
export function parsePublic(name: string): string | undefined {
  return PREVIEW.test(name) || PORTRAIT.test(name) || TEASER.test(name) ? `public/${name}` : undefined;
}

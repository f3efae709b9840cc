/** Where files lie in the store, and by which address they are asked for. Both are made of ids, never of a name somebody gave. */

export const variantPrefix = (id: string): string => `private/m/${id}`;
/** Open variants: `{width}.webp|avif|jpg`. */
export const variantKey = (id: string, file: string): string => `${variantPrefix(id)}/${file}`;
/** What was uploaded, untouched; read by processing only, served to nobody. */
export const originalKey = (id: string): string => `private/o/${id}`;
export const previewPrefix = (id: string): string => `public/p/${id}`;
/** What everybody may see of a locked one. */
export const previewKey = (id: string, file: string): string => `${previewPrefix(id)}/${file}`;

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const VARIANT = new RegExp(`^m/(${ID})/(\\d{1,5}\\.(?:webp|avif|jpg))$`);
const PREVIEW = new RegExp(`^p/${ID}/preview\\.(?:webp|jpg)$`);
/** Avatars and covers: owner, serial, width. */
const PORTRAIT = new RegExp(`^[ac]/${ID}/[0-9a-z]{4,40}/\\d{1,5}\\.(?:webp|jpg)$`);

const CONTENT_TYPES: Record<string, string> = { webp: 'image/webp', avif: 'image/avif', jpg: 'image/jpeg' };

/** The type of a file we made, by its ending. */
export function contentTypeOf(file: string): string {
  return CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** A variant named `m/{id}/{file}`, or nothing. */
export function parseVariant(fileKey: string): { id: string; key: string } | undefined {
  const match = VARIANT.exec(fileKey);
  if (!match?.[1] || !match[2]) return undefined;
  return { id: match[1], key: variantKey(match[1], match[2]) };
}

/** The store's key of something that is public by nature (previews, avatars, covers), or nothing. */
export function parsePublic(name: string): string | undefined {
  return PREVIEW.test(name) || PORTRAIT.test(name) ? `public/${name}` : undefined;
}

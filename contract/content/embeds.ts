export const EMBED_SIZES = {
  post: { width: 480, height: 600 },
  profile: { width: 400, height: 420 },
  tip: { width: 280, height: 76 },
} as const;
export type EmbedKind = keyof typeof EMBED_SIZES;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** `id` is a post id, or a username for a profile or tip button (row B11). */
export function embedPath(kind: EmbedKind, id: string): string {
  return `/embed/${kind}/${encodeURIComponent(id)}`;
}

/** `url` is absolute, sizes are CSS pixels. */
export function embedCode(
  url: string,
  { title, width, height }: { title: string; width: number; height: number },
): string {
  const attributes = [
    `src="${escapeHtml(url)}"`,
    `title="${escapeHtml(title)}"`,
    `width="${width}"`,
    `height="${height}"`,
    'style="border:0;max-width:100%"',
    'loading="lazy"',
    'allow="fullscreen; picture-in-picture"',
  ];
  return `<iframe ${attributes.join(' ')}></iframe>`;
}

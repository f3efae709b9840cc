/** The frames by which other sites show a post or a profile (row B11): their addresses, their sizes, and the code to paste. */

/** CSS pixels: what a frame is given unless asked for otherwise. */
export const EMBED_SIZES = {
  post: { width: 480, height: 600 },
  profile: { width: 400, height: 420 },
  tip: { width: 280, height: 76 },
} as const;
export type EmbedKind = keyof typeof EMBED_SIZES;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Where the frame of a post (by its id), a profile or a tip button (by its username) is. */
export function embedPath(kind: EmbedKind, id: string): string {
  return `/embed/${kind}/${encodeURIComponent(id)}`;
}

/** The code to paste. `address` is the frame's absolute address; sizes are in CSS pixels, and shrink with the page. */
export function embedCode(
  address: string,
  { title, width, height }: { title: string; width: number; height: number },
): string {
  const attributes = [
    `src="${escaped(address)}"`,
    `title="${escaped(title)}"`,
    `width="${width}"`,
    `height="${height}"`,
    'style="border:0;max-width:100%"',
    'loading="lazy"',
    'allow="fullscreen; picture-in-picture"',
  ];
  return `<iframe ${attributes.join(' ')}></iframe>`;
}

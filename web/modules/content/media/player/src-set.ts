import type { Picture } from '@stagedoor/contract/content/pictures.ts';

/**
 * Converts a picture's sizes for the viewer library. It accepts only one format, and WebP is the best that all
 * supported browsers have.
 */
export function toSrcSet({ sources, width, height }: Picture): { src: string; width: number; height: number }[] {
  const set = sources.find(({ type }) => type === 'image/webp')?.srcset ?? '';
  return set.split(/,\s+/).flatMap((entry) => {
    const [src, size] = entry.trim().split(/\s+/);
    const pixelWidth = Number(size?.replace(/w$/, ''));
    return src && pixelWidth > 0 ? [{ src, width: pixelWidth, height: Math.round((pixelWidth * height) / width) }] : [];
  });
}

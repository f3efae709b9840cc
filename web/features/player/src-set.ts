import type { Picture } from '@stagedoor/contract/pictures.ts';

/**
 * Converts a picture's sizes for the viewer library. It accepts only one format, and WebP is the best that all
 * supported browsers have.
 */
export function srcSetOf({ sources, width, height }: Picture): { src: string; width: number; height: number }[] {
  const set = sources.find(({ type }) => type === 'image/webp')?.srcset ?? '';
  return set.split(/,\s+/).flatMap((entry) => {
    const [src, size] = entry.trim().split(/\s+/);
    const wide = Number(size?.replace(/w$/, ''));
    return src && wide > 0 ? [{ src, width: wide, height: Math.round((wide * height) / width) }] : [];
  });
}

/** A picture's sizes as the viewer's library takes them. */
import type { Picture } from '@stagedoor/contract/pictures.ts';

/** The library takes one format; WebP is the best that every browser has. */
export function srcSetOf({ sources, width, height }: Picture): { src: string; width: number; height: number }[] {
  const set = sources.find(({ type }) => type === 'image/webp')?.srcset ?? '';
  return set.split(/,\s+/).flatMap((entry) => {
    const [src, size] = entry.trim().split(/\s+/);
    const wide = Number(size?.replace(/w$/, ''));
    return src && wide > 0 ? [{ src, width: wide, height: Math.round((wide * height) / width) }] : [];
  });
}

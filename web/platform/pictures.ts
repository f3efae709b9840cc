import type { Picture } from '@stagedoor/contract/content/pictures.ts';
import { thumbHashToAverageRGBA } from 'thumbhash';
import type { PictureProps } from '../ui/picture.tsx';

/**
 * Returns the average colour of a thumbhash as CSS, or undefined if it is invalid. A colour takes 20 bytes, a blurred
 * picture 2,000.
 */
export function toAverageColor(thumbhash: string | null): string | undefined {
  if (!thumbhash) return undefined;
  try {
    const { r, g, b } = thumbHashToAverageRGBA(Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0)));
    const [red, green, blue] = [r, g, b].map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255));
    return `rgb(${red} ${green} ${blue})`;
  } catch {
    return undefined;
  }
}

export function toPictureProps(picture: Picture, sizes: string, overrides: Partial<PictureProps> = {}): PictureProps {
  return {
    src: picture.url,
    alt: picture.alt,
    width: picture.width,
    height: picture.height,
    sizes,
    sources: picture.sources.map(({ type, srcset }) => ({ type, srcSet: srcset })),
    placeholder: toAverageColor(picture.thumbhash),
    ...overrides,
  };
}

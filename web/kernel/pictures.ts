/** A contract picture as the design system's picture: formats by preference, sizes, and a colour until it arrives. */
import type { Picture } from '@stagedoor/contract/pictures.ts';
import { thumbHashToAverageRGBA } from 'thumbhash';
import type { PictureProps } from '../ui/picture.tsx';

/** The average colour of a thumbhash, as CSS; nothing for a hash that cannot be read. A colour costs 20 bytes where a blurred picture costs 2,000. */
export function averageColour(thumbhash: string | null): string | undefined {
  if (!thumbhash) return undefined;
  try {
    const { r, g, b } = thumbHashToAverageRGBA(Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0)));
    const [red, green, blue] = [r, g, b].map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255));
    return `rgb(${red} ${green} ${blue})`;
  } catch {
    return undefined;
  }
}

/** `sizes` as in HTML: how wide the picture will be shown. */
export function pictureProps(picture: Picture, sizes: string, more: Partial<PictureProps> = {}): PictureProps {
  return {
    src: picture.url,
    alt: picture.alt,
    width: picture.width,
    height: picture.height,
    sizes,
    sources: picture.sources.map(({ type, srcset }) => ({ type, srcSet: srcset })),
    placeholder: averageColour(picture.thumbhash),
    ...more,
  };
}

import sharp from 'sharp';
import type { Pixels } from './heic.ts';

/** The values are fractions (0 to 1) of the picture's width, height and shorter side. */
export type Crop = { x: number; y: number; side: number };

const MIN_PX = 16;

/** A square that extends outside the picture is moved inside. */
export async function cropSquare(pixels: Pixels, { x, y, side }: Crop): Promise<Pixels> {
  const { data, width, height, channels } = pixels;
  const shorter = Math.min(width, height);
  const size = Math.min(shorter, Math.max(MIN_PX, Math.round(side * shorter)));
  const left = Math.min(width - size, Math.round(x * width));
  const top = Math.min(height - size, Math.round(y * height));
  const cropped = await sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .extract({ left, top, width: size, height: size })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { data: cropped, width: size, height: size, channels };
}

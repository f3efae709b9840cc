/** The part of a picture that its owner chose to show: a square, taken before anything is made of it. */
import sharp from 'sharp';
import type { Pixels } from './heic.ts';

/** Left edge, top edge and side, as parts (0 to 1) of the picture's width, height and shorter side. */
export type Crop = { x: number; y: number; side: number };

/** Fewer pixels than this make no face. */
const LEAST_PX = 16;

/** The square of a picture, moved inside where it reaches out. */
export async function takeSquare(pixels: Pixels, { x, y, side }: Crop): Promise<Pixels> {
  const { data, width, height, channels } = pixels;
  const shorter = Math.min(width, height);
  const size = Math.min(shorter, Math.max(LEAST_PX, Math.round(side * shorter)));
  const left = Math.min(width - size, Math.round(x * width));
  const top = Math.min(height - size, Math.round(y * height));
  const taken = await sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .extract({ left, top, width: size, height: size })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { data: taken, width: size, height: size, channels };
}

/** Pictures of a share image as pixels. Security: they are decoded by sharp with the loaders that uploads may use. */
import { buffer } from 'node:stream/consumers';
import type { ImageNode } from '@takumi-rs/core';
import sharp, { type Sharp } from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';
import type { Context } from '../../../platform/context.ts';
import type { OgImageDetails } from './og-image-details.ts';

const WHITE = '#ffffff';

export type PictureSize = { width: number; height: number };

/** Returns undefined for files that do not exist any more. */
export async function readStoredFile(ctx: Pick<Context, 'storage'>, key: string | null): Promise<Buffer | undefined> {
  const file = key === null ? undefined : await ctx.storage.open(key);
  return file && buffer(await file.stream());
}

export async function toImageNode(picture: Sharp, size: PictureSize): Promise<ImageNode> {
  const pixels = await picture.flatten({ background: WHITE }).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  // Not a Buffer, because its `toJSON` would make an array of all pixels when the renderer serializes the node.
  const data = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  return { type: 'image', src: { ...size, data, premultiplied: true }, style: size };
}

export async function cropPicture(
  picture: Buffer,
  focus: OgImageDetails['focus'],
  { width, height }: PictureSize,
): Promise<Sharp> {
  const image = sharp(picture, { failOn: 'none' });
  const metadata = await image.metadata();
  const [fromWidth, fromHeight] = [metadata.width ?? width, metadata.height ?? height];
  const scale = Math.max(width / fromWidth, height / fromHeight);
  const scaledWidth = Math.max(width, Math.round(fromWidth * scale));
  const scaledHeight = Math.max(height, Math.round(fromHeight * scale));
  const left = Math.round(((scaledWidth - width) * focus.x) / 100);
  const top = Math.round(((scaledHeight - height) * focus.y) / 100);
  return image.resize(scaledWidth, scaledHeight, { fit: 'fill' }).extract({ left, top, width, height });
}

export function drawThumbhash(thumbhash: string, { width, height }: PictureSize): Sharp {
  const { w, h, rgba } = thumbHashToRGBA(Buffer.from(thumbhash, 'base64'));
  return sharp(Buffer.from(rgba), { raw: { width: w, height: h, channels: 4 } })
    .flatten({ background: WHITE })
    .resize(width, height, { fit: 'cover', kernel: 'cubic' })
    .blur(24);
}

export async function tintPicture(picture: Sharp, color: string): Promise<Sharp> {
  return sharp(await picture.greyscale().png().toBuffer()).tint(color);
}

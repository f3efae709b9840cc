/** Decodes pictures and writes their versions, with nothing but pixels. Uses neither database nor store. */
import { PICTURE_LIMITS, PICTURE_WIDTHS, SRCSET_MIN_WIDTH } from '@stagedoor/contract/shared/limits.ts';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { applyProfile, findColorProfile, toSrgb } from './color/color-profile.ts';
import { readHeif } from './containers/heif.ts';
import { MEDIA_MESSAGES, MediaError, TransientError } from './error-messages.ts';
import { decodeHeic, type Pixels } from './heic.ts';
import { describeUnsupportedType } from './unsupported-types.ts';

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['image/avif', 'heif'],
  ['image/heic', 'heif'],
  ['image/heif', 'heif'],
]);
const HEIC = new Set(['image/heic', 'image/heif']);

const AVIF = { quality: 50, effort: 2, maxWidth: 1920 };
const JPEG = { quality: 78, width: 1080 };
/** WebP's largest side is 16,383 px. */
const MAX_HEIGHT = 16_000;
const MAX_WIDTH = Math.max(...PICTURE_WIDTHS);
/** Security: the preview has so few pixels that no detail of a locked picture remains. */
const PREVIEW = { tinyWidth: 40, tinyHeight: 50, width: 640, maxHeight: 2560 };
const THUMB_SIDE = 100;

// Security: loaders of other formats (SVG, PDF, TIFF and others) are disabled, whatever the content claims to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});
sharp.cache(false);

export type PictureInfo = { contentType: string; width: number; height: number };

function openPicture(input: string | Buffer, ignoreIcc = false): Sharp {
  const options = { failOn: 'truncated', limitInputPixels: PICTURE_LIMITS.maxPixels, sequentialRead: true } as const;
  return sharp(input, { ...options, ignoreIcc });
}

function toFailureMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('exceeds pixel limit')) return MEDIA_MESSAGES.tooManyPixels;
  return /unsupported (?!image format)|not supported/i.test(message)
    ? MEDIA_MESSAGES.unsupportedCoding
    : MEDIA_MESSAGES.damaged;
}

export function isPicture(contentType: string): boolean {
  return FORMATS.has(contentType);
}

async function readPictureMetadata(input: string | Buffer) {
  if (Buffer.isBuffer(input) && input.length === 0) throw new MediaError(MEDIA_MESSAGES.empty);
  const type = await (Buffer.isBuffer(input) ? fileTypeFromBuffer(input) : fileTypeFromFile(input));
  const format = type && FORMATS.get(type.mime);
  if (!type || !format) throw new MediaError(await describeUnsupportedType(input, type, 'picture'));
  const metadata = await openPicture(input)
    .metadata()
    .catch((error: unknown) => {
      throw new MediaError(toFailureMessage(error), { cause: error });
    });
  if (metadata.format !== format) throw new MediaError(MEDIA_MESSAGES.unknownPicture);
  const { width, height } = metadata;
  if (width * height > PICTURE_LIMITS.maxPixels) throw new MediaError(MEDIA_MESSAGES.tooManyPixels);
  if (Math.max(width, height) > PICTURE_LIMITS.maxSidePixels) throw new MediaError(MEDIA_MESSAGES.sideTooLong);
  return { contentType: type.mime, metadata };
}

/** Does not decode the picture. Throws MediaError. */
export async function inspectPicture(input: string | Buffer): Promise<PictureInfo> {
  const { contentType, metadata } = await readPictureMetadata(input);
  return { contentType, width: metadata.width, height: metadata.height };
}

function openPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3 && info.channels !== 4) throw new MediaError(MEDIA_MESSAGES.damaged);
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/**
 * Returns an upright sRGB picture without metadata, at most {@link MAX_WIDTH} wide. Throws MediaError for a damaged
 * picture, TransientError if it may be intact.
 */
export async function decodePicture(file: Buffer): Promise<Pixels> {
  const { contentType, metadata } = await readPictureMetadata(file);
  // Decoders show a truncated picture without an error.
  if (metadata.format === 'heif' && !readHeif(file).isWhole) throw new MediaError(MEDIA_MESSAGES.damaged);
  const profile = findColorProfile(file, contentType);
  const isHeic = HEIC.has(contentType);
  const is16Bit = !isHeic && metadata.depth === 'ushort';
  try {
    const decoded = isHeic ? openPixels(await decodeHeic(file)) : openPicture(file, profile !== undefined).rotate();
    const image = decoded.resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true });
    if (profile) return await toPixels(await applyProfile(profile, image, is16Bit));
    return await toPixels(toSrgb(image, is16Bit && metadata.hasProfile));
  } catch (error) {
    if (error instanceof TransientError) throw error;
    throw new MediaError(toFailureMessage(error), { cause: error });
  }
}

/** Returns a JPEG. Throws MediaError. */
export async function cropPicture(file: Buffer, size: { width: number; height: number }): Promise<Buffer> {
  const pixels = await decodePicture(file);
  const scale = Math.min(pixels.width / size.width, pixels.height / size.height);
  const width = Math.max(2, Math.round(size.width * scale));
  const height = Math.max(2, Math.round(size.height * scale));
  return openPixels(pixels)
    .flatten({ background: '#000000' })
    .resize({ width, height, fit: 'cover' })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/**
 * Returns no width larger than the picture. Its own width is included if the next smaller one would lose over a tenth.
 */
export function listPictureWidths(
  width: number,
  limit = MAX_WIDTH,
  candidates: readonly number[] = PICTURE_WIDTHS,
): number[] {
  const ownWidth = Math.min(width, limit);
  const widths: number[] = candidates.filter((candidate) => candidate <= ownWidth);
  if ((widths.at(-1) ?? 0) < ownWidth * 0.9) widths.push(ownWidth);
  return widths;
}

export function filterSrcsetWidths(widths: readonly number[]): readonly number[] {
  const offeredWidths = widths.filter((width) => width >= SRCSET_MIN_WIDTH);
  return offeredWidths.length > 0 ? offeredWidths : widths;
}

async function shrink(pixels: Pixels, width: number): Promise<Pixels> {
  return width >= pixels.width ? pixels : toPixels(openPixels(pixels).resize({ width }));
}

export type EncodedPicture = { file: string; content: Buffer; contentType: string };

export async function* encodeWebps(
  pixels: Pixels,
  widths = listPictureWidths(pixels.width),
): AsyncGenerator<EncodedPicture> {
  let source = pixels;
  for (const width of widths.toSorted((a, b) => b - a)) {
    const content = await openPixels(source).resize({ width }).webp({ quality: PICTURE_LIMITS.quality }).toBuffer();
    yield { file: `${width}.webp`, content, contentType: 'image/webp' };
    // A reduced source, still at least twice their size, takes much less work.
    if (width === 1920 || width === 384) source = await shrink(source, width);
  }
}

/** AVIF is as good as WebP at about two thirds of the bytes, but takes ten times the work. */
export async function* encodeAvifs(pixels: Pixels): AsyncGenerator<EncodedPicture & { width: number }> {
  const source = await shrink(pixels, AVIF.maxWidth);
  for (const width of filterSrcsetWidths(listPictureWidths(pixels.width, AVIF.maxWidth))) {
    const content = await openPixels(source)
      .resize({ width })
      .avif({ quality: AVIF.quality, effort: AVIF.effort })
      .toBuffer();
    yield { file: `${width}.avif`, content, contentType: 'image/avif', width };
  }
}

export async function encodeJpeg(pixels: Pixels, maxWidth = JPEG.width): Promise<EncodedPicture & { width: number }> {
  const width = Math.min(pixels.width, maxWidth);
  const content = await openPixels(pixels)
    .resize({ width })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: JPEG.quality, mozjpeg: true })
    .toBuffer();
  return { file: `${width}.jpg`, content, contentType: 'image/jpeg', width };
}

/** A thumbhash (evanw.github.io/thumbhash) in base64. */
export async function toThumbhash(pixels: Pixels): Promise<string> {
  const small = await toPixels(
    openPixels(pixels).resize({ width: THUMB_SIDE, height: THUMB_SIDE, fit: 'inside' }).ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(small.width, small.height, small.data)).toString('base64');
}

export type PicturePreview = { files: EncodedPicture[]; width: number; height: number; thumbhash: string };

/** Security: the picture is reduced to at most 40 × 50 px, then blurred and enlarged, so that no detail survives. */
export async function createPreview(pixels: Pixels): Promise<PicturePreview> {
  const tiny = await toPixels(
    openPixels(pixels)
      .flatten({ background: '#ffffff' })
      .resize({ width: PREVIEW.tinyWidth, height: PREVIEW.tinyHeight, fit: 'inside' })
      .blur(1.6)
      .modulate({ saturation: 1.55, brightness: 1.06 }),
  );
  const { width } = PREVIEW;
  const height = Math.min(PREVIEW.maxHeight, Math.round((width * tiny.height) / tiny.width));
  const enlarged = await toPixels(openPixels(tiny).resize({ width, height, kernel: 'cubic', fit: 'fill' }));
  const blurred = await toPixels(openPixels(enlarged).blur(8));
  return {
    files: [
      {
        file: 'preview.webp',
        content: await openPixels(blurred).webp({ quality: 60 }).toBuffer(),
        contentType: 'image/webp',
      },
      {
        file: 'preview.jpg',
        content: await openPixels(blurred).jpeg({ quality: 70, mozjpeg: true }).toBuffer(),
        contentType: 'image/jpeg',
      },
    ],
    width,
    height,
    thumbhash: await toThumbhash(blurred),
  };
}

export async function encodeSquares(pixels: Pixels, sides: readonly number[]): Promise<EncodedPicture[]> {
  const files: EncodedPicture[] = [];
  for (const side of sides) {
    const content = await openPixels(pixels)
      .resize({ width: side, height: side, fit: 'cover' })
      .webp({ quality: PICTURE_LIMITS.quality })
      .toBuffer();
    files.push({ file: `${side}.webp`, content, contentType: 'image/webp' });
  }
  return files;
}

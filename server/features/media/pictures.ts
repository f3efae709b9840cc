/** Decodes pictures and writes their versions, with nothing but pixels. Uses neither database nor store. */
import { PICTURE, PICTURE_WIDTHS, SRCSET_MIN_WIDTH } from '@stagedoor/contract/atoms/limits.ts';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { inSrgb, meantProfile, takenBy } from './colours/meant.ts';
import { readHeif } from './formats/heif.ts';
import { decodeHeic, type Pixels } from './heic.ts';
import { refusalOf } from './refusals.ts';
import { MachineError, MediaError, SENTENCES } from './sentences.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
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

export type Inspected = { contentType: string; width: number; height: number };

function open(input: string | Buffer, ignoreIcc = false): Sharp {
  const options = { failOn: 'truncated', limitInputPixels: PICTURE.maxPixels, sequentialRead: true } as const;
  return sharp(input, { ...options, ignoreIcc });
}

function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : '';
  if (said.includes('exceeds pixel limit')) return SENTENCES.pixels;
  return /unsupported (?!image format)|not supported/i.test(said) ? SENTENCES.coding : SENTENCES.damaged;
}

export function isPicture(contentType: string): boolean {
  return TYPES.has(contentType);
}

async function look(input: string | Buffer) {
  if (Buffer.isBuffer(input) && input.length === 0) throw new MediaError(SENTENCES.empty);
  const type = await (Buffer.isBuffer(input) ? fileTypeFromBuffer(input) : fileTypeFromFile(input));
  const format = type && TYPES.get(type.mime);
  if (!type || !format) throw new MediaError(await refusalOf(input, type, 'picture'));
  const metadata = await open(input)
    .metadata()
    .catch((error: unknown) => {
      throw new MediaError(sentenceOf(error), { cause: error });
    });
  if (metadata.format !== format) throw new MediaError(SENTENCES.picture);
  if (metadata.width * metadata.height > PICTURE.maxPixels) throw new MediaError(SENTENCES.pixels);
  return { contentType: type.mime, metadata };
}

/** Does not decode the picture. Throws MediaError. */
export async function inspectPicture(input: string | Buffer): Promise<Inspected> {
  const { contentType, metadata } = await look(input);
  return { contentType, width: metadata.width, height: metadata.height };
}

function fromPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3 && info.channels !== 4) throw new MediaError(SENTENCES.damaged);
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/**
 * Returns an upright sRGB picture without metadata, at most {@link MAX_WIDTH} wide. Throws MediaError for a damaged
 * picture, MachineError if it may be intact.
 */
export async function decodePicture(file: Buffer): Promise<Pixels> {
  const { contentType, metadata } = await look(file);
  // Decoders show a truncated picture without an error.
  if (metadata.format === 'heif' && !readHeif(file).isWhole) throw new MediaError(SENTENCES.damaged);
  const profile = meantProfile(file, contentType);
  const isHeic = HEIC.has(contentType);
  const isDeep = !isHeic && metadata.depth === 'ushort';
  try {
    const decoded = isHeic ? fromPixels(await decodeHeic(file)) : open(file, profile !== undefined).rotate();
    const image = decoded.resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true });
    if (profile) return await toPixels(await takenBy(profile, image, isDeep));
    return await toPixels(inSrgb(image, isDeep && metadata.hasProfile));
  } catch (error) {
    if (error instanceof MachineError) throw error;
    throw new MediaError(sentenceOf(error), { cause: error });
  }
}

/** Returns a JPEG. Throws MediaError. */
export async function cropPicture(file: Buffer, size: { width: number; height: number }): Promise<Buffer> {
  const pixels = await decodePicture(file);
  const scale = Math.min(pixels.width / size.width, pixels.height / size.height);
  const width = Math.max(2, Math.round(size.width * scale));
  const height = Math.max(2, Math.round(size.height * scale));
  return fromPixels(pixels)
    .flatten({ background: '#000000' })
    .resize({ width, height, fit: 'cover' })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/**
 * Returns no width larger than the picture. Its own width is included if the next smaller one would lose over a tenth.
 */
export function widthsOf(width: number, limit = MAX_WIDTH, candidates: readonly number[] = PICTURE_WIDTHS): number[] {
  const own = Math.min(width, limit);
  const widths: number[] = candidates.filter((candidate) => candidate <= own);
  if ((widths.at(-1) ?? 0) < own * 0.9) widths.push(own);
  return widths;
}

export function srcsetWidths(widths: readonly number[]): readonly number[] {
  const offered = widths.filter((width) => width >= SRCSET_MIN_WIDTH);
  return offered.length > 0 ? offered : widths;
}

async function shrink(pixels: Pixels, width: number): Promise<Pixels> {
  return width >= pixels.width ? pixels : toPixels(fromPixels(pixels).resize({ width }));
}

export type Rendition = { file: string; content: Buffer; contentType: string };

export async function* webps(pixels: Pixels, widths = widthsOf(pixels.width)): AsyncGenerator<Rendition> {
  let source = pixels;
  for (const width of widths.toSorted((a, b) => b - a)) {
    const content = await fromPixels(source).resize({ width }).webp({ quality: PICTURE.quality }).toBuffer();
    yield { file: `${width}.webp`, content, contentType: 'image/webp' };
    // A reduced source, still at least twice their size, takes much less work.
    if (width === 1920 || width === 384) source = await shrink(source, width);
  }
}

/** AVIF is as good as WebP at about two thirds of the bytes, but takes ten times the work. */
export async function* avifs(pixels: Pixels): AsyncGenerator<Rendition & { width: number }> {
  const source = await shrink(pixels, AVIF.maxWidth);
  for (const width of srcsetWidths(widthsOf(pixels.width, AVIF.maxWidth))) {
    const content = await fromPixels(source)
      .resize({ width })
      .avif({ quality: AVIF.quality, effort: AVIF.effort })
      .toBuffer();
    yield { file: `${width}.avif`, content, contentType: 'image/avif', width };
  }
}

export async function jpeg(pixels: Pixels, mostWidth = JPEG.width): Promise<Rendition & { width: number }> {
  const width = Math.min(pixels.width, mostWidth);
  const content = await fromPixels(pixels)
    .resize({ width })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: JPEG.quality, mozjpeg: true })
    .toBuffer();
  return { file: `${width}.jpg`, content, contentType: 'image/jpeg', width };
}

/** A thumbhash (evanw.github.io/thumbhash) in base64. */
export async function thumbhashOf(pixels: Pixels): Promise<string> {
  const small = await toPixels(
    fromPixels(pixels).resize({ width: THUMB_SIDE, height: THUMB_SIDE, fit: 'inside' }).ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(small.width, small.height, small.data)).toString('base64');
}

export type Preview = { files: Rendition[]; width: number; height: number; thumbhash: string };

/** Security: the picture is reduced to at most 40 × 50 px, then blurred and enlarged, so that no detail survives. */
export async function previewOf(pixels: Pixels): Promise<Preview> {
  const tiny = await toPixels(
    fromPixels(pixels)
      .flatten({ background: '#ffffff' })
      .resize({ width: PREVIEW.tinyWidth, height: PREVIEW.tinyHeight, fit: 'inside' })
      .blur(1.6)
      .modulate({ saturation: 1.55, brightness: 1.06 }),
  );
  const { width } = PREVIEW;
  const height = Math.min(PREVIEW.maxHeight, Math.round((width * tiny.height) / tiny.width));
  const enlarged = await toPixels(fromPixels(tiny).resize({ width, height, kernel: 'cubic', fit: 'fill' }));
  const blurred = await toPixels(fromPixels(enlarged).blur(8));
  return {
    files: [
      {
        file: 'preview.webp',
        content: await fromPixels(blurred).webp({ quality: 60 }).toBuffer(),
        contentType: 'image/webp',
      },
      {
        file: 'preview.jpg',
        content: await fromPixels(blurred).jpeg({ quality: 70, mozjpeg: true }).toBuffer(),
        contentType: 'image/jpeg',
      },
    ],
    width,
    height,
    thumbhash: await thumbhashOf(blurred),
  };
}

export async function squares(pixels: Pixels, sides: readonly number[]): Promise<Rendition[]> {
  const files: Rendition[] = [];
  for (const side of sides) {
    const content = await fromPixels(pixels)
      .resize({ width: side, height: side, fit: 'cover' })
      .webp({ quality: PICTURE.quality })
      .toBuffer();
    files.push({ file: `${side}.webp`, content, contentType: 'image/webp' });
  }
  return files;
}

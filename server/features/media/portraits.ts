/** Avatars and covers are made during the request, a few at a time. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { whileReading } from '../../kernel/form-reading.ts';
import { newToken } from '../../kernel/session.ts';
import { createTurns } from '../../kernel/turns.ts';
import { type Crop, takeSquare } from './crop.ts';
import * as pictures from './pictures.ts';
import { enqueueDiscard } from './queue.ts';
import { MediaError, SENTENCES, SlowError } from './sentences.ts';
import { type Size, sizeOfStored } from './sizes.ts';

export const PORTRAIT_MAX_BYTES = 20 * 1024 * 1024;
const AVATAR_SIDES = [96, 384];
/** Files of a cover follow from its width alone, so these values must never change. */
const COVER_WIDTHS = [96, 384, 640, 1080, 1920];
const coverWidths = (width: number) => pictures.widthsOf(width, Math.max(...COVER_WIDTHS), COVER_WIDTHS);
const CLOSE_WIDTH = 2_400;
const AT_ONCE = 2;
const MAX_WAITING = 10;
/** Cached pages may show the old picture for up to a day. */
const KEPT_MS = 24 * 60 * 60_000;

export type { Crop };
export type Portrait = { key: string; thumbhash: string; width: number; height: number };

/** Throws UNAVAILABLE when too many wait. */
export const inTurn = createTurns({
  atOnce: AT_ONCE,
  waiting: MAX_WAITING,
  refusal: () =>
    new AppError('UNAVAILABLE', {
      message: 'We’re busy. Try again in a moment.',
      retryAfterSeconds: 5,
    }),
});

export function refusedPicture(error: unknown): unknown {
  if (!(error instanceof MediaError || error instanceof SlowError)) return error;
  const message = error instanceof SlowError ? SENTENCES.slow : error.message;
  return new AppError('UNSUPPORTED_TYPE', { message, error: [{ field: 'file', message }] });
}

/**
 * The key is new, so that addresses can be cached permanently. Throws UNSUPPORTED_TYPE with a message for an unusable
 * picture.
 */
export async function makePortrait(
  ctx: Pick<Context, 'storage'>,
  ownerId: string,
  which: 'avatar' | 'cover',
  file: Buffer,
  crop?: Crop,
): Promise<Portrait> {
  return inTurn(async () => {
    const whole = await pictures.decodePicture(file).catch((error: unknown) => {
      throw refusedPicture(error);
    });
    const pixels = crop && which === 'avatar' ? await takeSquare(whole, crop) : whole;
    const serial = newToken()
      .toLowerCase()
      .replace(/[^0-9a-z]/g, '')
      .slice(0, 16);
    const key = `${which === 'avatar' ? 'a' : 'c'}/${ownerId}/${serial}`;
    const files: pictures.Rendition[] = [];
    if (which === 'avatar') {
      files.push(...(await pictures.squares(pixels, AVATAR_SIDES)));
    } else {
      for await (const made of pictures.webps(pixels, coverWidths(pixels.width))) files.push(made);
      files.push(await pictures.jpeg(pixels));
    }
    for (const { file: name, content, contentType } of files)
      await ctx.storage.put(`public/${key}/${name}`, content, contentType);
    return { key, thumbhash: await pictures.thumbhashOf(pixels), width: pixels.width, height: pixels.height };
  });
}

/** Throws UNSUPPORTED_TYPE with a message for an unusable picture. */
export async function plainPicture(file: Buffer): Promise<{ content: Buffer; width: number; height: number }> {
  return inTurn(async () => {
    const pixels = await pictures.decodePicture(file).catch((error: unknown) => {
      throw refusedPicture(error);
    });
    const { content, width } = await pictures.jpeg(pixels, CLOSE_WIDTH);
    return { content, width, height: Math.round((pixels.height * width) / pixels.width) };
  });
}

export const coverUrl = (cover: { key: string; width: number }) => `/media/${plainCover(cover)}`;
const plainCover = ({ key, width }: { key: string; width: number }) => `public/${key}/${Math.min(width, 1080)}.jpg`;

/** Prefers the JPEG of {@link coverUrl}. Returns undefined once the files are deleted. */
export async function coverThatFits(
  ctx: Pick<Context, 'storage'>,
  cover: { key: string; width: number },
  fits: (size: Size) => boolean,
): Promise<({ path: string } & Size) | undefined> {
  const newer = coverWidths(cover.width).toReversed();
  for (const file of [plainCover(cover), ...newer.map((width) => `public/${cover.key}/${width}.webp`)]) {
    const size = await sizeOfStored(ctx, file);
    if (size && fits(size)) return { path: `/media/${file}`, ...size };
  }
  return undefined;
}

export function presentCover(
  cover: { key: string; width: number; height: number; thumbhash: string | null },
  alt: string,
) {
  const address = (file: string) => `/media/public/${cover.key}/${file}`;
  const widths = coverWidths(cover.width);
  return {
    url: coverUrl(cover),
    width: cover.width,
    height: cover.height,
    alt,
    thumbhash: cover.thumbhash,
    sources: [
      { type: 'image/webp', srcset: widths.map((width) => `${address(`${width}.webp`)} ${width}w`).join(', ') },
    ],
  };
}

/** Deletes the files after a day, or immediately with `isAtOnce` if they must not be seen any more. */
export function discardPortrait(ctx: Context, tx: Transaction, key: string, { isAtOnce = false } = {}): Promise<void> {
  const at = isAtOnce ? undefined : new Date(ctx.clock.now().getTime() + KEPT_MS);
  return enqueueDiscard(ctx, tx, [`public/${key}`], at);
}

/** `width` is a cover's own width and absent for an avatar. */
export function portraitKey({ key, width }: { key: string; width?: number }): string {
  const side = Math.max(...(width === undefined ? AVATAR_SIDES : coverWidths(width)));
  return `public/${key}/${side}.webp`;
}

export async function readPortrait(
  { storage }: Pick<Context, 'storage'>,
  portrait: { key: string; width?: number },
): Promise<Buffer | undefined> {
  const stored = await storage.open(portraitKey(portrait));
  if (!stored) return undefined;
  const parts: Buffer[] = [];
  for await (const part of await stored.stream()) parts.push(part);
  return Buffer.concat(parts);
}

export type PictureForm = { file: Buffer | undefined; fields: ReadonlyMap<string, string> };

/**
 * Throws TOO_LARGE, UNSUPPORTED_TYPE if it is not multipart, VALIDATION for a malformed or truncated form, UNAVAILABLE
 * while too many forms are being read.
 */
export async function readPictureForm(ctx: Pick<Context, 'config'>, request: FastifyRequest): Promise<PictureForm> {
  if (!request.isMultipart()) throw new AppError('UNSUPPORTED_TYPE', { message: 'Please send a multipart form.' });
  return whileReading(ctx, request, async (place) => {
    const fields = new Map<string, string>();
    let kept: string | undefined;
    try {
      for await (const part of request.parts()) {
        if (part.type === 'file') {
          kept = place();
          await pipeline(part.file, createWriteStream(kept));
          if (part.file.truncated) throw new AppError('TOO_LARGE');
        } else if (typeof part.value === 'string') fields.set(part.fieldname, part.value);
      }
    } catch (error) {
      // Only errors of limits carry a status code.
      if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) throw error;
      throw invalid('file', 'We couldn’t read the form.');
    }
    for (const [name, value] of fields) if (value.includes('\0')) throw invalid(name, 'This character isn’t allowed.');
    return { file: kept === undefined ? undefined : await readFile(kept), fields };
  });
}

/** Avatars and covers: small, public, made at once while the person waits, a few at a time. */
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

/** Bytes of an avatar or cover. */
export const PORTRAIT_MAX_BYTES = 20 * 1024 * 1024;
const AVATAR_SIDES = [96, 384];
/** What a cover has follows from its width alone, so these are for ever. */
const COVER_WIDTHS = [96, 384, 640, 1080, 1920];
const coverWidths = (width: number) => pictures.widthsOf(width, Math.max(...COVER_WIDTHS), COVER_WIDTHS);
/** Wide enough to read small print by. */
const CLOSE_WIDTH = 2_400;
const AT_ONCE = 2;
const MAX_WAITING = 10;
/** Pages that were kept elsewhere may still show the old one for a day. */
const KEPT_MS = 24 * 60 * 60_000;

export type { Crop };
export type Portrait = { key: string; thumbhash: string; width: number; height: number };

/** Pictures of forms, a few at a time. Throws UNAVAILABLE when too many wait. */
export const inTurn = createTurns({
  atOnce: AT_ONCE,
  waiting: MAX_WAITING,
  refusal: () =>
    new AppError('UNAVAILABLE', {
      message: 'Many pictures are being processed. Please try again in a moment.',
      retryAfterSeconds: 5,
    }),
});

/** What a form is answered whose picture cannot be used. */
export function refusedPicture(error: unknown): unknown {
  if (!(error instanceof MediaError || error instanceof SlowError)) return error;
  const message = error instanceof SlowError ? SENTENCES.slow : error.message;
  return new AppError('UNSUPPORTED_TYPE', { message, error: [{ field: 'file', message }] });
}

/**
 * Makes the public files of an avatar (squares, of its middle or of `crop`) or a cover (widths and one JPEG) under a new key, so that addresses can
 * be kept for ever. Throws UNSUPPORTED_TYPE with a sentence when it is no usable picture.
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

/**
 * One JPEG of a picture, upright, in sRGB, without anything else that its file said, for who looks at it closely. Throws
 * UNSUPPORTED_TYPE with a sentence when it is no usable picture.
 */
export async function plainPicture(file: Buffer): Promise<{ content: Buffer; width: number; height: number }> {
  return inTurn(async () => {
    const pixels = await pictures.decodePicture(file).catch((error: unknown) => {
      throw refusedPicture(error);
    });
    const { content, width } = await pictures.jpeg(pixels, CLOSE_WIDTH);
    return { content, width, height: Math.round((pixels.height * width) / pixels.width) };
  });
}

/** Where a cover is loaded by what reads nothing newer than JPEG. */
export const coverUrl = (cover: { key: string; width: number }) => `/media/${plainCover(cover)}`;
const plainCover = ({ key, width }: { key: string; width: number }) => `public/${key}/${Math.min(width, 1080)}.jpg`;

/** The largest of a cover's files that fits: what {@link coverUrl} leads to, or else one of the newer kind. Nothing once they are gone. */
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

/** A cover's picture by what its owner's row says of it. */
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

/** Throws away the files of a portrait that was replaced, a day later; or at once, where it may be nobody's to see any more. */
export function discardPortrait(ctx: Context, tx: Transaction, key: string, { isAtOnce = false } = {}): Promise<void> {
  const at = isAtOnce ? undefined : new Date(ctx.clock.now().getTime() + KEPT_MS);
  return enqueueDiscard(ctx, tx, [`public/${key}`], at);
}

/** Where the largest picture of a portrait is stored, as WebP. `width`: a cover's own, none of an avatar. */
export function portraitKey({ key, width }: { key: string; width?: number }): string {
  const side = Math.max(...(width === undefined ? AVATAR_SIDES : coverWidths(width)));
  return `public/${key}/${side}.webp`;
}

/** That picture; nothing once its files are gone. */
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
 * Reads a multipart form with at most one file. Throws TOO_LARGE, UNSUPPORTED_TYPE for anything else than multipart, VALIDATION
 * for a form that breaks off or is none, UNAVAILABLE while too many are being read.
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
      // Limits carry a status; what the parser stumbles over carries none.
      if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) throw error;
      throw invalid('file', 'The form could not be read.');
    }
    for (const [name, value] of fields) if (value.includes('\0')) throw invalid(name, 'This sign is not accepted.');
    // In memory only once it is whole.
    return { file: kept === undefined ? undefined : await readFile(kept), fields };
  });
}

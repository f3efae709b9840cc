/** Avatars and covers are made during the request, a few at a time. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { withFormLimit } from '../../../platform/http/multipart-limits.ts';
import { createConcurrencyLimit } from '../../../platform/limits/concurrency-limit.ts';
import { createToken } from '../../../platform/security/session.ts';
import {
  type Crop,
  cropSquare,
  decodePicture,
  type EncodedPicture,
  encodeJpeg,
  encodeSquares,
  encodeWebps,
  listPictureWidths,
  MEDIA_MESSAGES,
  MediaError,
  ProcessingTimeoutError,
  toThumbhash,
} from '../media-processing/index.ts';
import { enqueueDiscard } from './jobs/queue.ts';
import { findStoredSize, type PixelSize } from './sizes.ts';
import * as texts from './texts.ts';

export const PICTURE_FORM_MAX_BYTES = 20 * 1024 * 1024;
const AVATAR_SIDES = [96, 384];
/** Files of a cover follow from its width alone, so these values must never change. */
const COVER_WIDTHS = [96, 384, 640, 1080, 1920];
const listCoverWidths = (width: number) => listPictureWidths(width, Math.max(...COVER_WIDTHS), COVER_WIDTHS);
const PLAIN_JPEG_WIDTH = 2_400;
/** Cached pages may show the old picture for up to a day. */
const REPLACED_RETENTION_MS = 24 * 60 * 60_000;

export type { Crop };
export type StoredProfilePicture = { key: string; thumbhash: string; width: number; height: number };

/** Throws UNAVAILABLE when too many wait. */
export const pictureLimit = createConcurrencyLimit({
  max: 2,
  maxWaiting: 10,
  createError: () =>
    new AppError('UNAVAILABLE', {
      message: texts.busyTryAgain,
      retryAfterSeconds: 5,
    }),
});

export function toPictureRefusal(error: unknown): unknown {
  if (!(error instanceof MediaError || error instanceof ProcessingTimeoutError)) return error;
  const message = error instanceof ProcessingTimeoutError ? MEDIA_MESSAGES.timedOut : error.message;
  return new AppError('UNSUPPORTED_TYPE', { message, error: [{ field: 'file', message }] });
}

/**
 * The key is new, so that addresses can be cached permanently. Throws UNSUPPORTED_TYPE with a message for an unusable
 * picture.
 */
export async function createProfilePicture(
  ctx: Pick<Context, 'storage'>,
  ownerId: string,
  pictureKind: 'avatar' | 'cover',
  file: Buffer,
  crop?: Crop,
): Promise<StoredProfilePicture> {
  return pictureLimit.run(async () => {
    const decoded = await decodePicture(file).catch((error: unknown) => {
      throw toPictureRefusal(error);
    });
    const pixels = crop && pictureKind === 'avatar' ? await cropSquare(decoded, crop) : decoded;
    const serial = createToken()
      .toLowerCase()
      .replace(/[^0-9a-z]/g, '')
      .slice(0, 16);
    const key = `${pictureKind === 'avatar' ? 'a' : 'c'}/${ownerId}/${serial}`;
    const files: EncodedPicture[] = [];
    if (pictureKind === 'avatar') {
      files.push(...(await encodeSquares(pixels, AVATAR_SIDES)));
    } else {
      for await (const encoded of encodeWebps(pixels, listCoverWidths(pixels.width))) files.push(encoded);
      files.push(await encodeJpeg(pixels));
    }
    for (const { file: name, content, contentType } of files)
      await ctx.storage.put(`public/${key}/${name}`, content, contentType);
    return { key, thumbhash: await toThumbhash(pixels), width: pixels.width, height: pixels.height };
  });
}

/** Throws UNSUPPORTED_TYPE with a message for an unusable picture. */
export async function toPlainJpeg(file: Buffer): Promise<{ content: Buffer; width: number; height: number }> {
  return pictureLimit.run(async () => {
    const pixels = await decodePicture(file).catch((error: unknown) => {
      throw toPictureRefusal(error);
    });
    const { content, width } = await encodeJpeg(pixels, PLAIN_JPEG_WIDTH);
    return { content, width, height: Math.round((pixels.height * width) / pixels.width) };
  });
}

export const coverUrl = (cover: { key: string; width: number }) => `/media/${toCoverJpegPath(cover)}`;
const toCoverJpegPath = ({ key, width }: { key: string; width: number }) =>
  `public/${key}/${Math.min(width, 1080)}.jpg`;

/** Prefers the JPEG of {@link coverUrl}. Returns undefined once the files are deleted. */
export async function findFittingCover(
  ctx: Pick<Context, 'storage'>,
  cover: { key: string; width: number },
  isFitting: (size: PixelSize) => boolean,
): Promise<({ path: string } & PixelSize) | undefined> {
  const webpWidths = listCoverWidths(cover.width).toReversed();
  for (const file of [toCoverJpegPath(cover), ...webpWidths.map((width) => `public/${cover.key}/${width}.webp`)]) {
    const size = await findStoredSize(ctx, file);
    if (size && isFitting(size)) return { path: `/media/${file}`, ...size };
  }
  return undefined;
}

export function presentCover(
  cover: { key: string; width: number; height: number; thumbhash: string | null },
  alt: string,
) {
  const toUrl = (file: string) => `/media/public/${cover.key}/${file}`;
  const widths = listCoverWidths(cover.width);
  return {
    url: coverUrl(cover),
    width: cover.width,
    height: cover.height,
    alt,
    thumbhash: cover.thumbhash,
    sources: [{ type: 'image/webp', srcset: widths.map((width) => `${toUrl(`${width}.webp`)} ${width}w`).join(', ') }],
  };
}

/** Deletes the files after a day, or immediately with `isImmediate` if they must not be seen any more. */
export function discardProfilePicture(
  ctx: Context,
  tx: DbTransaction,
  key: string,
  { isImmediate = false } = {},
): Promise<void> {
  const at = isImmediate ? undefined : new Date(ctx.clock.now().getTime() + REPLACED_RETENTION_MS);
  return enqueueDiscard(ctx, tx, [`public/${key}`], at);
}

/** `width` is a cover's own width and absent for an avatar. */
export function getProfilePictureKey({ key, width }: { key: string; width?: number }): string {
  const side = Math.max(...(width === undefined ? AVATAR_SIDES : listCoverWidths(width)));
  return `public/${key}/${side}.webp`;
}

export async function readProfilePicture(
  { storage }: Pick<Context, 'storage'>,
  picture: { key: string; width?: number },
): Promise<Buffer | undefined> {
  const stored = await storage.open(getProfilePictureKey(picture));
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
  if (!request.isMultipart()) throw new AppError('UNSUPPORTED_TYPE', { message: texts.multipartFormRequired });
  return withFormLimit(ctx, request, async (createPath) => {
    const fields = new Map<string, string>();
    let filePath: string | undefined;
    try {
      for await (const part of request.parts()) {
        if (part.type === 'file') {
          filePath = createPath();
          await pipeline(part.file, createWriteStream(filePath));
          if (part.file.truncated) throw new AppError('TOO_LARGE');
        } else if (typeof part.value === 'string') fields.set(part.fieldname, part.value);
      }
    } catch (error) {
      // Only errors of limits carry a status code.
      if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) throw error;
      throw createFieldError('file', texts.formUnreadable);
    }
    for (const [name, value] of fields)
      if (value.includes('\0')) throw createFieldError(name, texts.characterNotAllowed);
    return { file: filePath === undefined ? undefined : await readFile(filePath), fields };
  });
}

/** Files are written under new names before the row refers to them. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { CAPTIONS_MAX_BYTES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Context } from '../../../kernel/context.ts';
import { discardSerial, pictureKeys } from '../files.ts';
import { contentTypeOf, variantKey } from '../keys.ts';
import { cropPicture } from '../pictures.ts';
import { inTurn, type PictureForm, refusedPicture } from '../portraits.ts';
import { writeVariants } from '../process.ts';
import { nextSerial, setCaptions, setPicture } from '../steps.ts';
import type { CaptionFacts, MediaRow } from '../store.ts';
import { storedFrame } from '../video/excerpt.ts';
import { findTools } from '../video/tools.ts';
import { inWorkFolder } from '../video/work.ts';
import { CaptionError, toWebVtt } from './captions.ts';
import * as store from './store.ts';

function assertStream(row: MediaRow): void {
  if (row.kind === 'picture') throw new AppError('CONFLICT', { message: 'Photos don’t have thumbnails or captions.' });
  if (row.status !== 'ready') throw new AppError('CONFLICT', { message: 'This file is still processing.' });
}

async function replacePicture(ctx: Context, row: MediaRow, picture: Buffer, second: number | null): Promise<void> {
  const serial = await nextSerial(ctx.db, row.id);
  if (serial === undefined) throw new AppError('NOT_FOUND');
  let mayCount = false;
  try {
    const made = await writeVariants(ctx, row.id, picture, { serial });
    mayCount = true;
    const before = await ctx.db.transaction(async (tx) => {
      const locked = await store.lock(tx, row.id);
      if (!locked) throw new AppError('NOT_FOUND');
      // A concurrent request has already set a newer picture.
      if (locked.picture_serial > serial) return undefined;
      await setPicture(tx, row.id, { made, second, isSized: row.kind === 'audio' });
      await tx.emit('media.improved', { mediaId: row.id });
      return locked;
    });
    mayCount = before !== undefined;
    for (const key of before ? pictureKeys(before) : []) await ctx.storage.remove(key);
  } finally {
    if (!mayCount) await discardSerial(ctx, row.id, serial);
  }
}

/** Throws CONFLICT if it is not a video or not ready, VALIDATION if there is no frame, UNAVAILABLE. */
export async function takePoster(ctx: Context, row: MediaRow, second: number): Promise<void> {
  assertStream(row);
  if (row.kind !== 'video') throw new AppError('CONFLICT', { message: 'This file has no video track.' });
  if (second > (row.duration_seconds ?? 0)) throw invalid('posterSecond', 'Choose a time within the video.');
  const tools = await findTools(ctx.config);
  if (!tools) throw new AppError('UNAVAILABLE', { message: 'We can’t process video right now. Try again later.' });
  await inTurn(() =>
    inWorkFolder(ctx.config.dataDir, async (dir) => {
      const frame = await storedFrame(ctx.storage, { tools, dir }, row, second);
      if (!frame) throw invalid('posterSecond', 'No frame at this time.');
      await replacePicture(ctx, row, frame, second);
    }),
  );
}

/** Throws UNSUPPORTED_TYPE, CONFLICT, VALIDATION. */
export async function givePoster(ctx: Context, row: MediaRow, { file }: PictureForm): Promise<void> {
  assertStream(row);
  if (!file) throw invalid('file', 'Choose an image.');
  await inTurn(async () => {
    try {
      const size = row.kind === 'video' ? { width: row.width ?? 0, height: row.height ?? 0 } : undefined;
      await replacePicture(ctx, row, size ? await cropPicture(file, size) : file, null);
    } catch (error) {
      throw refusedPicture(error);
    }
  });
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
const LABEL_LENGTH = 40;

function labelOf(language: string, given: string | undefined): string {
  const label = (given ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  if (label.length > LABEL_LENGTH) throw invalid('label', `At most ${LABEL_LENGTH} characters`);
  return label || (new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ?? language);
}

/** Returns the canonical BCP 47 tag. Throws VALIDATION. */
function languageOf(given: string | undefined): string {
  if (given === undefined || !LANGUAGE.test(given)) throw invalid('language', 'Choose a language.');
  try {
    return Intl.getCanonicalLocales(given)[0] ?? given;
  } catch {
    throw invalid('language', 'Choose a language.');
  }
}

const MOST_TRACKS = 30;

/** Throws UNSUPPORTED_TYPE, TOO_LARGE, CONFLICT, VALIDATION. */
export async function addCaptions(ctx: Context, row: MediaRow, { file, fields }: PictureForm): Promise<void> {
  assertStream(row);
  if (!file) throw invalid('file', 'Choose a file.');
  if (file.length > CAPTIONS_MAX_BYTES) throw new AppError('TOO_LARGE');
  const language = languageOf(fields.get('language'));
  const label = labelOf(language, fields.get('label'));
  let content: string;
  try {
    content = toWebVtt(file);
  } catch (error) {
    if (!(error instanceof CaptionError)) throw error;
    throw new AppError('UNSUPPORTED_TYPE', {
      message: error.message,
      error: [{ field: 'file', message: error.message }],
    });
  }
  const serial = await nextSerial(ctx.db, row.id);
  if (serial === undefined) throw new AppError('NOT_FOUND');
  const name = `${serial}.vtt`;
  await ctx.storage.put(variantKey(row.id, `c/${name}`), Buffer.from(content), contentTypeOf(name));
  await changeCaptions(ctx, row.id, (tracks) => {
    const others = tracks.filter((track) => track.language !== language);
    if (others.length >= MOST_TRACKS) throw new AppError('CONFLICT', { message: `At most ${MOST_TRACKS} languages.` });
    return [...others, { language, label, file: name }].sort((a, b) => a.label.localeCompare(b.label, 'en'));
  });
}

/** Throws NOT_FOUND. */
export async function removeCaptions(ctx: Context, row: MediaRow, language: string): Promise<void> {
  await changeCaptions(ctx, row.id, (tracks) => {
    const others = tracks.filter((track) => track.language !== language);
    if (others.length === tracks.length) throw new AppError('NOT_FOUND');
    return others;
  });
}

async function changeCaptions(
  ctx: Context,
  id: string,
  change: (tracks: readonly CaptionFacts[]) => CaptionFacts[],
): Promise<void> {
  const gone = await ctx.db.transaction(async (tx) => {
    const locked = await store.lock(tx, id);
    if (!locked) throw new AppError('NOT_FOUND');
    const next = change(locked.captions);
    await setCaptions(tx, id, next);
    await tx.emit('media.improved', { mediaId: id });
    return locked.captions.filter((track) => !next.some((other) => other.file === track.file));
  });
  for (const { file } of gone) await ctx.storage.remove(variantKey(id, `c/${file}`));
}

/** Files are written under new names before the row refers to them. */
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CAPTIONS_MAX_BYTES } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import { cropPicture, findTools, withWorkFolder } from '../../media-processing/index.ts';
import { deleteSerialFiles, listPictureKeys } from '../files.ts';
import { writeVariants } from '../jobs/picture-jobs.ts';
import { allocateSerial, setCaptions, setPicture } from '../jobs/processing-state.ts';
import { extractStoredFrame } from '../jobs/video/excerpt.ts';
import { getContentType, variantKey } from '../keys.ts';
import { type PictureForm, pictureLimit, toPictureRefusal } from '../profile-pictures.ts';
import type { CaptionMetadata, MediaRow } from '../store.ts';
import * as texts from '../texts.ts';
import { CaptionError, toWebVtt } from './captions.ts';
import * as store from './store.ts';

function requireReadyStream(row: MediaRow): void {
  if (row.kind === 'picture') throw new AppError('CONFLICT', { message: texts.photoExtrasError });
  if (row.status !== 'ready') throw new AppError('CONFLICT', { message: texts.fileStillProcessing });
}

async function replacePoster(ctx: Context, row: MediaRow, picture: Buffer, second: number | null): Promise<void> {
  const serial = await allocateSerial(ctx.db, row.id);
  if (serial === undefined) throw new AppError('NOT_FOUND');
  let canBeReferenced = false;
  try {
    const variants = await writeVariants(ctx, row.id, picture, { serial });
    canBeReferenced = true;
    const before = await ctx.db.transaction(async (tx) => {
      const locked = await store.lockMedia(tx, row.id);
      if (!locked) throw new AppError('NOT_FOUND');
      // A concurrent request has already set a newer picture.
      if (locked.picture_serial > serial) return undefined;
      await setPicture(tx, row.id, { variants, second, shouldSetSize: row.kind === 'audio' });
      await tx.emit('media.updated', { mediaId: row.id });
      return locked;
    });
    canBeReferenced = before !== undefined;
    for (const key of before ? listPictureKeys(before) : []) await ctx.storage.remove(key);
  } finally {
    if (!canBeReferenced) await deleteSerialFiles(ctx, row.id, serial);
  }
}

/** Throws CONFLICT if it is not a video or not ready, VALIDATION if there is no frame, UNAVAILABLE. */
export async function setPosterFromFrame(ctx: Context, row: MediaRow, second: number): Promise<void> {
  requireReadyStream(row);
  if (row.kind !== 'video') throw new AppError('CONFLICT', { message: texts.noVideoTrack });
  if (second > (row.duration_seconds ?? 0)) throw createFieldError('posterSecond', texts.posterTimeOutOfRange);
  const tools = await findTools(ctx.config);
  if (!tools) throw new AppError('UNAVAILABLE', { message: texts.videoProcessingUnavailable });
  await pictureLimit.run(() =>
    withWorkFolder(ctx.config.dataDir, async (dir) => {
      const frame = await extractStoredFrame(ctx.storage, { tools, dir }, row, second);
      if (!frame) throw createFieldError('posterSecond', texts.noFrameAtThisTime);
      await replacePoster(ctx, row, frame, second);
    }),
  );
}

/** Throws UNSUPPORTED_TYPE, CONFLICT, VALIDATION. */
export async function setPosterFromUpload(ctx: Context, row: MediaRow, { file }: PictureForm): Promise<void> {
  requireReadyStream(row);
  if (!file) throw createFieldError('file', texts.chooseAnImage);
  await pictureLimit.run(async () => {
    try {
      const size = row.kind === 'video' ? { width: row.width ?? 0, height: row.height ?? 0 } : undefined;
      await replacePoster(ctx, row, size ? await cropPicture(file, size) : file, null);
    } catch (error) {
      throw toPictureRefusal(error);
    }
  });
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
const LABEL_LENGTH = 40;

function parseLabel(language: string, input: string | undefined): string {
  const label = (input ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  if (label.length > LABEL_LENGTH)
    throw createFieldError('label', formatText(texts.labelTooLong, { maxLength: LABEL_LENGTH }));
  return label || (new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ?? language);
}

/** Returns the canonical BCP 47 tag. Throws VALIDATION. */
function parseLanguage(input: string | undefined): string {
  if (input === undefined || !LANGUAGE.test(input)) throw createFieldError('language', texts.chooseALanguage);
  try {
    return Intl.getCanonicalLocales(input)[0] ?? input;
  } catch {
    throw createFieldError('language', texts.chooseALanguage);
  }
}

const MAX_TRACKS = 30;

/** Throws UNSUPPORTED_TYPE, TOO_LARGE, CONFLICT, VALIDATION. */
export async function addCaptions(ctx: Context, row: MediaRow, { file, fields }: PictureForm): Promise<void> {
  requireReadyStream(row);
  if (!file) throw createFieldError('file', texts.chooseAFile);
  if (file.length > CAPTIONS_MAX_BYTES) throw new AppError('TOO_LARGE');
  const language = parseLanguage(fields.get('language'));
  const label = parseLabel(language, fields.get('label'));
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
  const serial = await allocateSerial(ctx.db, row.id);
  if (serial === undefined) throw new AppError('NOT_FOUND');
  const name = `${serial}.vtt`;
  await ctx.storage.put(variantKey(row.id, `c/${name}`), Buffer.from(content), getContentType(name));
  await updateCaptions(ctx, row.id, (tracks) => {
    const others = tracks.filter((track) => track.language !== language);
    if (others.length >= MAX_TRACKS)
      throw new AppError('CONFLICT', { message: formatText(texts.tooManyLanguages, { maxCount: MAX_TRACKS }) });
    return [...others, { language, label, file: name }].sort((a, b) => a.label.localeCompare(b.label, 'en'));
  });
}

/** Throws NOT_FOUND. */
export async function removeCaptions(ctx: Context, row: MediaRow, language: string): Promise<void> {
  await updateCaptions(ctx, row.id, (tracks) => {
    const others = tracks.filter((track) => track.language !== language);
    if (others.length === tracks.length) throw new AppError('NOT_FOUND');
    return others;
  });
}

async function updateCaptions(
  ctx: Context,
  id: string,
  change: (tracks: readonly CaptionMetadata[]) => CaptionMetadata[],
): Promise<void> {
  const removedTracks = await ctx.db.transaction(async (tx) => {
    const locked = await store.lockMedia(tx, id);
    if (!locked) throw new AppError('NOT_FOUND');
    const next = change(locked.captions);
    await setCaptions(tx, id, next);
    await tx.emit('media.updated', { mediaId: id });
    return locked.captions.filter((track) => !next.some((other) => other.file === track.file));
  });
  for (const { file } of removedTracks) await ctx.storage.remove(variantKey(id, `c/${file}`));
}

/** Captions of videos and audio: uploaded by their owner, or embedded in the file. */
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CAPTIONS_MAX_BYTES } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import { allocateSerial, setCaptions } from '../jobs/processing-state.ts';
import { getContentType, variantKey } from '../keys.ts';
import type { PictureForm } from '../profile-pictures.ts';
import type { CaptionMetadata, MediaRow } from '../store.ts';
import * as texts from '../texts.ts';
import { CaptionError, toWebVtt } from './captions.ts';
import * as store from './store.ts';

/** Throws CONFLICT. */
export function requireReadyStream(row: MediaRow): void {
  if (row.kind === 'picture') throw new AppError('CONFLICT', { message: texts.photoExtrasError });
  if (row.status !== 'ready') throw new AppError('CONFLICT', { message: texts.fileStillProcessing });
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
const LABEL_LENGTH = 40;

/** `und` is the tag of an unknown language (BCP 47), for which Intl has only a technical name. */
function formatLanguage(language: string): string {
  if (language === 'und') return texts.unknownLanguage;
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ?? language;
}

function parseLabel(language: string, input: string | undefined): string {
  const label = (input ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  if (label.length > LABEL_LENGTH)
    throw createFieldError('label', formatText(texts.labelTooLong, { maxLength: LABEL_LENGTH }));
  return label || formatLanguage(language);
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

/**
 * Adds embedded subtitles as captions, unless there are captions in that language. Returns false if the content is not
 * usable or there are too many languages.
 */
export async function addEmbeddedCaptions(
  ctx: Context,
  id: string,
  { language, title }: { language: string; title: string },
  content: Buffer,
): Promise<boolean> {
  const label =
    title
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .slice(0, LABEL_LENGTH) || formatLanguage(language);
  try {
    if (content.length > CAPTIONS_MAX_BYTES) return false;
    await storeCaptions(ctx, id, { language, label, content: toWebVtt(content) }, false);
    return true;
  } catch (error) {
    if (error instanceof CaptionError || (error instanceof AppError && error.code === 'CONFLICT')) return false;
    throw error;
  }
}

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
  await storeCaptions(ctx, row.id, { language, label, content }, true);
}

/** Throws NOT_FOUND, CONFLICT if there are too many languages. */
async function storeCaptions(
  ctx: Context,
  id: string,
  { language, label, content }: { language: string; label: string; content: string },
  canReplace: boolean,
): Promise<void> {
  const serial = await allocateSerial(ctx.db, id);
  if (serial === undefined) throw new AppError('NOT_FOUND');
  const name = `${serial}.vtt`;
  await ctx.storage.put(variantKey(id, `c/${name}`), Buffer.from(content), getContentType(name));
  await updateCaptions(ctx, id, (tracks) => {
    const others = tracks.filter((track) => track.language !== language);
    if (others.length < tracks.length && !canReplace) return [...tracks];
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

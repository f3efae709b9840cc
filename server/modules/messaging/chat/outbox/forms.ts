/**
 * Multipart forms with files: streamed to disk, classified by their content, and passed to the media module or stored
 * unchanged.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CHAT_DOCUMENT_TYPES } from '@stagedoor/contract/messaging/messages.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromFile } from 'file-type';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { withFormLimit } from '../../../../platform/http/multipart-limits.ts';
import { createId } from '../../../../platform/ids.ts';
import { addMediaFile, cleanFileName } from '../../../content/media/index.ts';
import { describeFileType } from '../../../content/media-processing/index.ts';
import * as texts from '../texts.ts';
import { chooseMedia, type MessageFiles } from './attachments.ts';
import { findDocumentType, isValidDocument } from './documents.ts';

type Upload = { mediaId: string } | { file: NewFile };
type NewFile = {
  id: string;
  kind: 'document' | 'audio';
  fileName: string;
  contentType: string;
  byteSize: number;
  durationSeconds: number | null;
  waveform: number[];
};
export type UploadForm = { fields: Map<string, string>; uploads: Upload[] };

export const toChatFileKey = (id: string): string => `private/d/${id}`;

const AUDIO_TYPES: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'audio/mpeg'],
  ['audio/mp4', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['video/mp4', 'audio/mp4'],
  ['audio/aac', 'audio/aac'],
  ['audio/ogg', 'audio/ogg'],
  ['audio/opus', 'audio/ogg'],
  ['video/ogg', 'audio/ogg'],
  ['audio/ogg; codecs=opus', 'audio/ogg'],
  ['video/webm', 'audio/webm'],
  ['audio/webm', 'audio/webm'],
  ['audio/wav', 'audio/wav'],
]);

const waveform = z.array(z.number().check(z.gte(0), z.lte(1))).check(z.maxLength(100));

function parseVoiceNote(
  fields: ReadonlyMap<string, string>,
): { durationSeconds: number; waveform: number[] } | undefined {
  const durationText = fields.get('durationSeconds');
  if (durationText === undefined) return undefined;
  const durationSeconds = Number(durationText);
  if (!(durationSeconds > 0 && durationSeconds <= CHAT_LIMITS.audioSeconds))
    throw createFieldError(
      'durationSeconds',
      formatText(texts.voiceMessageTooLong, { minutes: CHAT_LIMITS.audioSeconds / 60 }),
    );
  const text = fields.get('waveform');
  if (text === undefined) return { durationSeconds, waveform: [] };
  const parsed = z.safeParse(waveform, tryParseJson(text));
  if (!parsed.success) throw createFieldError('waveform', texts.waveformInvalid);
  return { durationSeconds, waveform: parsed.data };
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createUnsupportedError(message: string): AppError {
  return new AppError('UNSUPPORTED_TYPE', { message, error: [{ field: 'file', message }] });
}

/**
 * Scans a file that is stored unchanged, if a scanner is configured. Pictures and videos are encoded anew and need no
 * scan.
 */
async function requireNotInfected(ctx: Context, path: string, ownerId: string, fileName: string): Promise<void> {
  const virusName = await ctx.scanner?.scan(path);
  if (virusName === undefined) return;
  ctx.log.warn({ userId: ownerId, detected: virusName }, 'an infected file was refused');
  throw createUnsupportedError(formatText(texts.virusDetected, { fileName, virusName }));
}

/** Browsers encode these characters of a file name in a form, and only these (HTML, multipart form data). */
const decodeFormFileName = (name: string) => name.replace(/%22|%0A|%0D/gi, (encoded) => decodeURIComponent(encoded));

async function storeUpload(
  ctx: Context,
  ownerId: string,
  path: string,
  name: string,
  fields: Map<string, string>,
): Promise<Upload> {
  const { size: byteSize } = await stat(path);
  if (byteSize === 0) throw createUnsupportedError(formatText(texts.fileIsEmpty, { fileName: name }));
  const detected = await fileTypeFromFile(path);
  const type = detected?.mime;
  const voice = parseVoiceNote(fields);
  const storeFile = async (kind: NewFile['kind'], contentType: string): Promise<Upload> => {
    await requireNotInfected(ctx, path, ownerId, name);
    const id = createId(ctx.clock);
    await ctx.storage.put(toChatFileKey(id), createReadStream(path), contentType);
    const { durationSeconds = null, waveform: loudness = [] } = (kind === 'audio' ? voice : undefined) ?? {};
    return { file: { id, kind, fileName: name, contentType, byteSize, durationSeconds, waveform: loudness } };
  };
  if (voice) {
    const playableType = AUDIO_TYPES.get(type ?? '');
    if (!playableType) throw createUnsupportedError(texts.voiceMessageUnplayable);
    if (byteSize > CHAT_LIMITS.audioBytes) throw new AppError('TOO_LARGE');
    return storeFile('audio', playableType);
  }
  const document = findDocumentType(name);
  const isMedia = type?.startsWith('image/') || type?.startsWith('video/') || type?.startsWith('audio/');
  // Media under the name of a document are refused below. Otherwise they would stay in the library under that name.
  if (isMedia && !document) return { mediaId: await addMediaFile(ctx, ownerId, path, name) };
  if (!document)
    throw createUnsupportedError(
      formatText(texts.fileTypeUnsupported, {
        fileName: name,
        detectedType: await describeFileType(path, detected),
        supportedTypes: CHAT_DOCUMENT_TYPES.join(', '),
      }),
    );
  if (byteSize > CHAT_LIMITS.documentBytes) throw new AppError('TOO_LARGE');
  if (!(await isValidDocument(path, document, type)))
    throw createUnsupportedError(
      formatText(texts.documentInvalid, {
        fileName: name,
        detectedType: await describeFileType(path, detected),
        extension: document,
      }).trim(),
    );
  return storeFile('document', 'application/octet-stream');
}

/**
 * `validateFields` is called with the fields before any file is stored and refuses by throwing. Throws UNSUPPORTED_TYPE,
 * TOO_LARGE, VALIDATION, UNAVAILABLE while too many forms are being read.
 */
export async function readForm(
  ctx: Context,
  request: FastifyRequest,
  ownerId: string,
  validateFields: (fields: Map<string, string>) => Promise<void>,
): Promise<UploadForm> {
  if (!request.isMultipart()) throw createUnsupportedError(texts.multipartFormRequired);
  const form: UploadForm = { fields: new Map(), uploads: [] };
  const limits = {
    fileSize: CHAT_LIMITS.formFileBytes,
    files: CHAT_LIMITS.files,
    fields: 20,
    parts: 30,
    fieldSize: 40_000,
  };
  let isChecked = false;
  const handleFile = async (path: string, file: Readable & { truncated: boolean }, name: string): Promise<void> => {
    if (!isChecked) await validateFields(form.fields);
    isChecked = true;
    await pipeline(file, createWriteStream(path));
    if (file.truncated) throw new AppError('TOO_LARGE');
    form.uploads.push(
      await storeUpload(ctx, ownerId, path, cleanFileName(decodeFormFileName(name)) || 'file', form.fields),
    );
    // Deleted immediately, so that ten large files are not on the disk together.
    await rm(path, { force: true });
  };
  const readParts = async (nextPath: () => string): Promise<void> => {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') await handleFile(nextPath(), part.file, part.filename);
      else if (typeof part.value === 'string' && !part.value.includes('\0') && part.value.isWellFormed())
        form.fields.set(part.fieldname, part.value);
      else throw createFieldError(part.fieldname, texts.characterNotAllowed);
    }
  };
  try {
    await withFormLimit(ctx, request, readParts);
  } catch (error) {
    if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) throw error;
    throw createFieldError('file', texts.formUnreadable);
  }
  if (!isChecked) await validateFields(form.fields);
  if (form.uploads.length === 0) throw createFieldError('file', texts.addFile);
  return form;
}

export async function claimUploads(
  ctx: Context,
  tx: DbTransaction,
  ownerId: string,
  uploads: readonly Upload[],
): Promise<MessageFiles> {
  const mediaIds = uploads.flatMap((upload) => ('mediaId' in upload ? [upload.mediaId] : []));
  const files = uploads.flatMap((upload) => ('file' in upload ? [upload.file] : []));
  const [first] = files;
  if (!first) return chooseMedia(ctx, tx, ownerId, mediaIds);
  if (
    mediaIds.length > 0 ||
    files.some(({ kind }) => kind !== first.kind) ||
    (first.kind === 'audio' && files.length > 1)
  )
    throw createFieldError('file', texts.sendFileKindsSeparately);
  const rows = files.map(({ id, kind, fileName, contentType, byteSize, durationSeconds, waveform: loudness }) => ({
    id,
    owner_id: ownerId,
    kind,
    file_name: fileName,
    content_type: contentType,
    byte_size: byteSize,
    duration_seconds: durationSeconds,
    waveform: loudness,
    created_at: ctx.clock.now(),
  }));
  await tx.query.insertInto('chat_files').values(rows).execute();
  return { type: first.kind, mediaIds: [], fileIds: files.map(({ id }) => id) };
}

export async function discardUploads(ctx: Context, uploads: readonly Upload[]): Promise<void> {
  for (const upload of uploads) if ('file' in upload) await ctx.storage.remove(toChatFileKey(upload.file.id));
}

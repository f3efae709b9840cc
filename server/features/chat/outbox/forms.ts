/**
 * Multipart forms with files: streamed to disk, classified by their content, and passed to the media module or stored
 * unchanged.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { DOCUMENT_TYPES } from '@stagedoor/contract/messages.ts';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromFile } from 'file-type';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import { whileReading } from '../../../kernel/form-reading.ts';
import { newId } from '../../../kernel/ids.ts';
import { cleanFileName, saysWhatItIs, takeInFile } from '../../media/index.ts';
import { chooseMedia, type Files } from './attachments.ts';
import { documentTypeOf, isDocument, isWritten } from './documents.ts';

type Taken = { mediaId: string } | { file: NewFile };
type NewFile = {
  id: string;
  kind: 'document' | 'audio';
  fileName: string;
  contentType: string;
  byteSize: number;
  durationSeconds: number | null;
  waveform: number[];
};
export type Form = { fields: Map<string, string>; taken: Taken[] };

export const fileKey = (id: string): string => `private/d/${id}`;

const AUDIO: ReadonlyMap<string, string> = new Map([
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

function voiceOf(fields: ReadonlyMap<string, string>): { durationSeconds: number; waveform: number[] } | undefined {
  const given = fields.get('durationSeconds');
  if (given === undefined) return undefined;
  const durationSeconds = Number(given);
  if (!(durationSeconds > 0 && durationSeconds <= CHAT_LIMITS.audioSeconds))
    throw invalid('durationSeconds', `Voice messages can be up to ${CHAT_LIMITS.audioSeconds / 60} minutes long.`);
  const text = fields.get('waveform');
  if (text === undefined) return { durationSeconds, waveform: [] };
  const parsed = z.safeParse(waveform, readJson(text));
  if (!parsed.success) throw invalid('waveform', 'At most 100 numbers from 0 to 1.');
  return { durationSeconds, waveform: parsed.data };
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unsupported(message: string): AppError {
  return new AppError('UNSUPPORTED_TYPE', { message, error: [{ field: 'file', message }] });
}

/**
 * Scans a file that is stored unchanged, if a scanner is configured. Pictures and videos are encoded anew and need no
 * scan.
 */
async function refuseInfected(ctx: Context, place: string, ownerId: string): Promise<void> {
  const name = await ctx.scanner?.scan(place);
  if (name === undefined) return;
  ctx.log.warn({ userId: ownerId, found: name }, 'an infected file was refused');
  throw unsupported(`We found a virus in this file (${name}), so it wasn’t sent.`);
}

async function takeIn(
  ctx: Context,
  ownerId: string,
  place: string,
  name: string,
  fields: Map<string, string>,
): Promise<Taken> {
  const { size: byteSize } = await stat(place);
  if (byteSize === 0) throw unsupported('This file is empty.');
  const found = await fileTypeFromFile(place);
  const type = found?.mime;
  const voice = voiceOf(fields);
  const keep = async (kind: NewFile['kind'], contentType: string): Promise<Taken> => {
    await refuseInfected(ctx, place, ownerId);
    const id = newId(ctx.clock);
    await ctx.storage.put(fileKey(id), createReadStream(place), contentType);
    const { durationSeconds = null, waveform: loudness = [] } = (kind === 'audio' ? voice : undefined) ?? {};
    return { file: { id, kind, fileName: name, contentType, byteSize, durationSeconds, waveform: loudness } };
  };
  if (voice) {
    const served = AUDIO.get(type ?? '');
    if (!served) throw unsupported('We can’t play this voice message.');
    if (byteSize > CHAT_LIMITS.audioBytes) throw new AppError('TOO_LARGE');
    return keep('audio', served);
  }
  const isMedia = type?.startsWith('image/') || type?.startsWith('video/') || type?.startsWith('audio/');
  if (isMedia && (byteSize > CHAT_LIMITS.documentBytes || !(await isWritten(place, name, type))))
    return { mediaId: await takeInFile(ctx, ownerId, place, name) };
  const document = documentTypeOf(name);
  if (!document)
    throw unsupported(
      `${await saysWhatItIs(place, found)}This file type isn’t supported. Supported documents: ${DOCUMENT_TYPES.join(', ')}.`,
    );
  if (byteSize > CHAT_LIMITS.documentBytes) throw new AppError('TOO_LARGE');
  if (!(await isDocument(place, document, type)))
    throw unsupported(`${await saysWhatItIs(place, found)}This file isn’t a valid .${document}.`);
  return keep('document', 'application/octet-stream');
}

/**
 * `check` is called with the fields before any file is stored and refuses by throwing. Throws UNSUPPORTED_TYPE,
 * TOO_LARGE, VALIDATION, UNAVAILABLE while too many forms are being read.
 */
export async function readForm(
  ctx: Context,
  request: FastifyRequest,
  ownerId: string,
  check: (fields: Map<string, string>) => Promise<void>,
): Promise<Form> {
  if (!request.isMultipart()) throw unsupported('Send a multipart form.');
  const form: Form = { fields: new Map(), taken: [] };
  const limits = {
    fileSize: CHAT_LIMITS.formFileBytes,
    files: CHAT_LIMITS.files,
    fields: 20,
    parts: 30,
    fieldSize: 40_000,
  };
  let isChecked = false;
  const keepFile = async (place: string, file: Readable & { truncated: boolean }, name: string): Promise<void> => {
    if (!isChecked) await check(form.fields);
    isChecked = true;
    await pipeline(file, createWriteStream(place));
    if (file.truncated) throw new AppError('TOO_LARGE');
    form.taken.push(await takeIn(ctx, ownerId, place, cleanFileName(name) || 'file', form.fields));
    // Deleted immediately, so that ten large files are not on the disk together.
    await rm(place, { force: true });
  };
  const readParts = async (place: () => string): Promise<void> => {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') await keepFile(place(), part.file, part.filename);
      else if (typeof part.value === 'string' && !part.value.includes('\0') && part.value.isWellFormed())
        form.fields.set(part.fieldname, part.value);
      else throw invalid(part.fieldname, 'This character isn’t allowed.');
    }
  };
  try {
    await whileReading(ctx, request, readParts);
  } catch (error) {
    if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) throw error;
    throw invalid('file', 'Couldn’t read the form.');
  }
  if (!isChecked) await check(form.fields);
  if (form.taken.length === 0) throw invalid('file', 'Add a file.');
  return form;
}

export async function chooseTaken(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  taken: readonly Taken[],
): Promise<Files> {
  const mediaIds = taken.flatMap((one) => ('mediaId' in one ? [one.mediaId] : []));
  const files = taken.flatMap((one) => ('file' in one ? [one.file] : []));
  const [first] = files;
  if (!first) return chooseMedia(ctx, tx, ownerId, mediaIds);
  if (
    mediaIds.length > 0 ||
    files.some(({ kind }) => kind !== first.kind) ||
    (first.kind === 'audio' && files.length > 1)
  )
    throw invalid('file', 'Send media, documents and voice messages separately.');
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

export async function discardTaken(ctx: Context, taken: readonly Taken[]): Promise<void> {
  for (const one of taken) if ('file' in one) await ctx.storage.remove(fileKey(one.file.id));
}

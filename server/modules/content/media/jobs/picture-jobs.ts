/** WebP is made first and published, AVIF follows with low priority. */

import { buffer } from 'node:stream/consumers';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import type { Context } from '../../../../platform/context.ts';
import type { JobAttempt } from '../../../../platform/jobs/jobs.ts';
import {
  createPreview,
  decodePicture,
  type EncodedPicture,
  encodeAvifs,
  encodeJpeg,
  encodeWebps,
  listPictureWidths,
  MEDIA_MESSAGES,
  MediaError,
  toThumbhash,
} from '../../media-processing/index.ts';
import '../events.ts';
import { deleteSerialFiles } from '../files.ts';
import { originalKey, previewKey, toSerialPath, variantKey } from '../keys.ts';
import * as store from '../store.ts';
import { detectCopies } from '../takedown.ts';
import * as steps from './processing-state.ts';
import { createProgress, GoneError } from './progress.ts';
import {
  avifJob,
  enqueueMediaJob,
  enqueueOriginalDeletion,
  failUpload,
  hashJob,
  pictureJob,
  retryLater,
} from './queue.ts';

async function readOriginal(ctx: Context, id: string): Promise<Buffer> {
  const file = await ctx.storage.open(originalKey(id));
  if (!file) throw new Error('the original is not in the store');
  if (file.byteSize > PICTURE_LIMITS.maxBytes) throw new MediaError(MEDIA_MESSAGES.pictureTooLarge);
  return buffer(await file.stream());
}

/** Stores everything but AVIF. Throws MediaError. */
export async function writeVariants(
  ctx: Pick<Context, 'storage'>,
  id: string,
  original: Buffer,
  { signal, serial }: { signal?: AbortSignal | undefined; serial: number },
): Promise<steps.PictureVariants> {
  const pixels = await decodePicture(original);
  const webpWidths = listPictureWidths(pixels.width);
  const storePicture = ({ file, content, contentType }: EncodedPicture, toKey = variantKey) =>
    ctx.storage.put(toKey(id, toSerialPath(serial, file)), content, contentType);
  const writeWebps = async () => {
    for await (const encoded of encodeWebps(pixels, webpWidths)) {
      signal?.throwIfAborted();
      await storePicture(encoded);
    }
  };
  const writeJpegAndPreview = async () => {
    const jpeg = await encodeJpeg(pixels);
    await storePicture(jpeg);
    const preview = await createPreview(pixels);
    for (const encoded of preview.files) await storePicture(encoded, previewKey);
    return { jpeg, preview, thumbhash: await toThumbhash(pixels) };
  };
  // Waits for both, so that nothing keeps running when one fails.
  const [webps, others] = await Promise.allSettled([writeWebps(), writeJpegAndPreview()]);
  if (webps.status === 'rejected') throw webps.reason;
  if (others.status === 'rejected') throw others.reason;
  const { jpeg, preview, thumbhash } = others.value;
  return {
    serial,
    width: pixels.width,
    height: pixels.height,
    webpWidths,
    jpegWidth: jpeg.width,
    thumbhash,
    previewThumbhash: preview.thumbhash,
    previewHeight: preview.height,
  };
}

/** If another attempt is first, this one deletes only its own files. */
async function processUpload(ctx: Context, id: string, attempt: JobAttempt): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  const serial = row?.status === 'processing' ? await steps.allocateSerial(ctx.db, id) : undefined;
  if (!row || serial === undefined) return;
  const progress = createProgress(ctx, row, attempt.signal);
  let canBeReferenced = false;
  try {
    await progress.enter('packaging');
    const variants = await writeVariants(ctx, id, await readOriginal(ctx, id), { signal: progress.signal, serial });
    canBeReferenced = true;
    canBeReferenced = await ctx.db.transaction(async (tx) => {
      if (!(await steps.markReady(tx, id, variants, ctx.clock.now()))) return false;
      await enqueueMediaJob(ctx, tx, avifJob, id);
      await tx.emit('media.processed', { mediaId: id, ownerId: row.owner_id });
      return true;
    });
  } catch (error) {
    if (error instanceof GoneError) return;
    if (error instanceof MediaError) return await failUpload(ctx, id, row.owner_id, error.message);
    // The process is shutting down. The next one starts over, and this attempt does not count.
    if (attempt.signal?.aborted) return await ctx.db.transaction((tx) => enqueueMediaJob(ctx, tx, pictureJob, id));
    if (!attempt.isLast) throw error;
    await retryLater(ctx, pictureJob, row, { error, message: MEDIA_MESSAGES.processingFailed });
  } finally {
    if (!canBeReferenced) await deleteSerialFiles(ctx, id, serial);
  }
}

async function addAvif(ctx: Context, id: string, signal?: AbortSignal): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  const needsAvif = row?.status === 'ready' && row.avif_widths.length === 0;
  const serial = needsAvif ? await steps.allocateSerial(ctx.db, id) : undefined;
  if (serial === undefined) return;
  let canBeReferenced = false;
  try {
    const pixels = await decodePicture(await readOriginal(ctx, id));
    const widths: number[] = [];
    for await (const { file, content, contentType, width } of encodeAvifs(pixels)) {
      signal?.throwIfAborted();
      await ctx.storage.put(variantKey(id, toSerialPath(serial, file)), content, contentType);
      widths.push(width);
    }
    canBeReferenced = true;
    canBeReferenced = await ctx.db.transaction(async (tx) => {
      if (!(await steps.setAvif(tx, id, widths, serial))) return false;
      await enqueueOriginalDeletion(ctx, tx, id);
      await tx.emit('media.updated', { mediaId: id });
      return true;
    });
  } finally {
    if (!canBeReferenced) await deleteSerialFiles(ctx, id, serial);
  }
}

/** Jobs may run twice at the same time, because each writes under its own serial. */
export function definePictureJobs(ctx: Context): void {
  ctx.jobs.define(pictureJob, ({ mediaId: id }, attempt) => processUpload(ctx, id, attempt));
  ctx.jobs.define(hashJob, ({ mediaId: id }) => detectCopies(ctx, id));
  ctx.jobs.define(avifJob, ({ mediaId: id }, { signal }) => addAvif(ctx, id, signal));
}

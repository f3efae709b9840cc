/** WebP is made first and published, AVIF follows with low priority. */

import { buffer } from 'node:stream/consumers';
import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import type { Context } from '../../kernel/context.ts';
import type { Attempt } from '../../kernel/jobs.ts';
import './events.ts';
import { discardSerial } from './files.ts';
import { originalKey, previewKey, underSerial, variantKey } from './keys.ts';
import * as pictures from './pictures.ts';
import { GoneError, progressOf } from './progress.ts';
import { avifJob, enqueue, enqueueForget, failUpload, hashJob, pictureJob, tryLater } from './queue.ts';
import { MediaError, SENTENCES } from './sentences.ts';
import * as steps from './steps.ts';
import * as store from './store.ts';
import { knowCopies } from './withheld.ts';

async function readOriginal(ctx: Context, id: string): Promise<Buffer> {
  const file = await ctx.storage.open(originalKey(id));
  if (!file) throw new Error('the original is not in the store');
  if (file.byteSize > PICTURE.maxBytes) throw new MediaError(SENTENCES.pictureBytes);
  return buffer(await file.stream());
}

/** Stores everything but AVIF. Throws MediaError. */
export async function writeVariants(
  ctx: Pick<Context, 'storage'>,
  id: string,
  original: Buffer,
  { signal, serial }: { signal?: AbortSignal | undefined; serial: number },
): Promise<steps.Made> {
  const pixels = await pictures.decodePicture(original);
  const webpWidths = pictures.widthsOf(pixels.width);
  const put = ({ file, content, contentType }: pictures.Rendition, keyOf = variantKey) =>
    ctx.storage.put(keyOf(id, underSerial(serial, file)), content, contentType);
  const makeWebps = async () => {
    for await (const rendition of pictures.webps(pixels, webpWidths)) {
      signal?.throwIfAborted();
      await put(rendition);
    }
  };
  const makeRest = async () => {
    const jpeg = await pictures.jpeg(pixels);
    await put(jpeg);
    const preview = await pictures.previewOf(pixels);
    for (const rendition of preview.files) await put(rendition, previewKey);
    return { jpeg, preview, thumbhash: await pictures.thumbhashOf(pixels) };
  };
  // Waits for both, so that nothing keeps running when one fails.
  const [webps, rest] = await Promise.allSettled([makeWebps(), makeRest()]);
  if (webps.status === 'rejected') throw webps.reason;
  if (rest.status === 'rejected') throw rest.reason;
  const { jpeg, preview, thumbhash } = rest.value;
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
async function processUpload(ctx: Context, id: string, attempt: Attempt): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  const serial = row?.status === 'processing' ? await steps.nextSerial(ctx.db, id) : undefined;
  if (!row || serial === undefined) return;
  const progress = progressOf(ctx, row, attempt.signal);
  let mayCount = false;
  try {
    await progress.enter('packaging');
    const made = await writeVariants(ctx, id, await readOriginal(ctx, id), { signal: progress.signal, serial });
    mayCount = true;
    mayCount = await ctx.db.transaction(async (tx) => {
      if (!(await steps.markReady(tx, id, made, ctx.clock.now()))) return false;
      await enqueue(ctx, tx, avifJob, id);
      await tx.emit('media.processed', { mediaId: id, ownerId: row.owner_id });
      return true;
    });
  } catch (error) {
    if (error instanceof GoneError) return;
    if (error instanceof MediaError) return await failUpload(ctx, id, row.owner_id, error.message);
    // The process is shutting down. The next one starts over, and this attempt does not count.
    if (attempt.signal?.aborted) return await ctx.db.transaction((tx) => enqueue(ctx, tx, pictureJob, id));
    if (!attempt.isLast) throw error;
    await tryLater(ctx, pictureJob, row, { error, sentence: SENTENCES.unknown });
  } finally {
    if (!mayCount) await discardSerial(ctx, id, serial);
  }
}

async function addAvif(ctx: Context, id: string, signal?: AbortSignal): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  const isWanted = row?.status === 'ready' && row.avif_widths.length === 0;
  const serial = isWanted ? await steps.nextSerial(ctx.db, id) : undefined;
  if (serial === undefined) return;
  let mayCount = false;
  try {
    const pixels = await pictures.decodePicture(await readOriginal(ctx, id));
    const widths: number[] = [];
    for await (const { file, content, contentType, width } of pictures.avifs(pixels)) {
      signal?.throwIfAborted();
      await ctx.storage.put(variantKey(id, underSerial(serial, file)), content, contentType);
      widths.push(width);
    }
    mayCount = true;
    mayCount = await ctx.db.transaction(async (tx) => {
      if (!(await steps.setAvif(tx, id, widths, serial))) return false;
      await enqueueForget(ctx, tx, id);
      await tx.emit('media.improved', { mediaId: id });
      return true;
    });
  } finally {
    if (!mayCount) await discardSerial(ctx, id, serial);
  }
}

/** Jobs may run twice at the same time, because each writes under its own serial. */
export function definePictureJobs(ctx: Context): void {
  ctx.jobs.define(pictureJob, ({ mediaId: id }, attempt) => processUpload(ctx, id, attempt));
  ctx.jobs.define(hashJob, ({ mediaId: id }) => knowCopies(ctx, id));
  ctx.jobs.define(avifJob, ({ mediaId: id }, { signal }) => addAvif(ctx, id, signal));
}

/** The jobs that make pictures of uploads: WebP first and published, AVIF afterwards when nothing else waits. */

import { buffer } from 'node:stream/consumers';
import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import type { Context } from '../../kernel/context.ts';
import type { Attempt } from '../../kernel/jobs.ts';
import './events.ts';
import { originalKey, pictureFile, previewKey, variantKey, variantPrefix } from './keys.ts';
import * as pictures from './pictures.ts';
import { progressOf } from './progress.ts';
import { avifJob, enqueue, enqueueDiscard, enqueueForget, failUpload, pictureJob, prefixesOf } from './queue.ts';
import { MediaError, SENTENCES } from './sentences.ts';
import * as store from './store.ts';

async function readOriginal(ctx: Context, id: string): Promise<Buffer> {
  const file = await ctx.storage.open(originalKey(id));
  if (!file) throw new MediaError(SENTENCES.damaged);
  if (file.byteSize > PICTURE.maxBytes) throw new MediaError(SENTENCES.pictureBytes);
  return buffer(await file.stream());
}

/**
 * Decodes a picture, writes everything but AVIF to the store, and answers what the row must say. `serial` says which of a
 * medium's pictures it is. Throws MediaError.
 */
export async function writeVariants(
  ctx: Pick<Context, 'storage'>,
  id: string,
  original: Buffer,
  { signal, serial = 0 }: { signal?: AbortSignal | undefined; serial?: number } = {},
): Promise<store.Made> {
  const pixels = await pictures.decodePicture(original);
  const webpWidths = pictures.widthsOf(pixels.width);
  const put = ({ file, content, contentType }: pictures.Rendition, keyOf = variantKey) =>
    ctx.storage.put(keyOf(id, pictureFile(serial, file)), content, contentType);
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
  // Nothing of it is left running when one fails.
  const [webps, rest] = await Promise.allSettled([makeWebps(), makeRest()]);
  if (webps.status === 'rejected') throw webps.reason;
  if (rest.status === 'rejected') throw rest.reason;
  const { jpeg, preview, thumbhash } = rest.value;
  return {
    width: pixels.width,
    height: pixels.height,
    webpWidths,
    jpegWidth: jpeg.width,
    thumbhash,
    previewThumbhash: preview.thumbhash,
    previewHeight: preview.height,
  };
}

async function processUpload(ctx: Context, id: string, attempt: Attempt): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== 'processing') return;
  const progress = progressOf(ctx, row, attempt.signal);
  try {
    await progress.enter('packaging');
    // What an attempt that was cut off left behind, half files included.
    await ctx.storage.removeAll(variantPrefix(id));
    const made = await writeVariants(ctx, id, await readOriginal(ctx, id), { signal: attempt.signal });
    await ctx.db.transaction(async (tx) => {
      if (!(await store.markReady(tx, id, made, ctx.clock.now()))) {
        // Discarded by its owner meanwhile.
        await enqueueDiscard(ctx, tx, prefixesOf(id));
        return;
      }
      await enqueue(ctx, tx, avifJob, id);
      await tx.emit('media.processed', { mediaId: id, ownerId: row.owner_id });
    });
  } catch (error) {
    if (error instanceof MediaError) return failUpload(ctx, id, row.owner_id, error.message);
    if (!attempt.isLast || attempt.signal?.aborted) throw error;
    ctx.log.error({ err: error, mediaId: id }, 'a picture could not be processed');
    await failUpload(ctx, id, row.owner_id, SENTENCES.unknown);
  }
}

/** Adds AVIF to a medium that is ready. Without it everything works: a failure is only noted. */
export async function addAvif(ctx: Context, id: string, signal?: AbortSignal): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== 'ready' || row.avif_widths.length > 0) return;
  const pixels = await pictures.decodePicture(await readOriginal(ctx, id));
  const widths: number[] = [];
  for await (const { file, content, contentType, width } of pictures.avifs(pixels)) {
    signal?.throwIfAborted();
    await ctx.storage.put(variantKey(id, file), content, contentType);
    widths.push(width);
  }
  await ctx.db.transaction(async (tx) => {
    if (!(await store.setAvifWidths(tx, id, widths))) return enqueueDiscard(ctx, tx, prefixesOf(id));
    await enqueueForget(ctx, tx, id);
    await tx.emit('media.improved', { mediaId: id });
    return undefined;
  });
}

/** Declares the jobs; each is harmless when it runs again, as all that it writes is decided by the upload. */
export function definePictureJobs(ctx: Context): void {
  ctx.jobs.define(pictureJob, ({ mediaId: id }, attempt) => processUpload(ctx, id, attempt));
  ctx.jobs.define(avifJob, ({ mediaId: id }, { signal }) => addAvif(ctx, id, signal));
}

/** The jobs that make pictures of uploads: WebP first and published, AVIF afterwards when nothing else waits. */

import { buffer } from 'node:stream/consumers';
import { mediaId } from '@stagedoor/contract/atoms/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { job } from '../../kernel/jobs.ts';
import './events.ts';
import { originalKey, previewKey, previewPrefix, variantKey, variantPrefix } from './keys.ts';
import * as pictures from './pictures.ts';
import * as store from './store.ts';

const processJob = job('media.process', z.object({ mediaId }));
const avifJob = job('media.avif', z.object({ mediaId }));
const discardJob = job('media.discard', z.object({ prefixes: z.array(z.string()) }));

const ATTEMPTS = 5;
const PRIORITY = { process: 0, discard: 20, avif: 30 };

type Tx = Parameters<Parameters<Context['db']['transaction']>[0]>[0];

/** Enqueues the processing of an upload that is complete in the store. */
export function enqueueProcessing(ctx: Context, tx: Tx, id: string): Promise<void> {
  return ctx.jobs.add(
    tx,
    processJob,
    { mediaId: id },
    { key: `media.process:${id}`, maxAttempts: ATTEMPTS, priority: PRIORITY.process },
  );
}

/** Enqueues the removal of everything under some prefixes of the store, at `runAt`. */
export function enqueueDiscard(ctx: Context, tx: Tx, prefixes: string[], runAt?: Date): Promise<void> {
  return ctx.jobs.add(tx, discardJob, { prefixes }, { priority: PRIORITY.discard, ...(runAt ? { runAt } : {}) });
}

/** Every file that was or may be made of a medium. */
export function prefixesOf(id: string): string[] {
  return [originalKey(id), variantPrefix(id), previewPrefix(id)];
}

async function readOriginal(ctx: Context, id: string): Promise<Buffer> {
  const file = await ctx.storage.open(originalKey(id));
  if (!file) throw new pictures.PictureError(pictures.SENTENCES.damaged);
  return buffer(await file.stream());
}

/** Decodes a picture, writes everything but AVIF to the store, and answers what the row must say. Throws PictureError. */
export async function writeVariants(
  ctx: Pick<Context, 'storage'>,
  id: string,
  original: Buffer,
  signal?: AbortSignal,
): Promise<store.Made> {
  const pixels = await pictures.decodePicture(original);
  const webpWidths = pictures.widthsOf(pixels.width);
  for await (const { file, content, contentType } of pictures.webps(pixels, webpWidths)) {
    signal?.throwIfAborted();
    await ctx.storage.put(variantKey(id, file), content, contentType);
  }
  const jpeg = await pictures.jpeg(pixels);
  await ctx.storage.put(variantKey(id, jpeg.file), jpeg.content, jpeg.contentType);
  const preview = await pictures.previewOf(pixels);
  for (const { file, content, contentType } of preview.files)
    await ctx.storage.put(previewKey(id, file), content, contentType);
  return {
    width: pixels.width,
    height: pixels.height,
    webpWidths,
    jpegWidth: jpeg.width,
    thumbhash: await pictures.thumbhashOf(pixels),
    previewThumbhash: preview.thumbhash,
    previewHeight: preview.height,
  };
}

/** Ends an upload as failed, with a sentence for its owner, and throws its files away. */
export async function failUpload(ctx: Context, id: string, ownerId: string, sentence: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.markFailed(tx, id, sentence, ctx.clock.now()))) return;
    await enqueueDiscard(ctx, tx, prefixesOf(id));
    await tx.emit('media.processed', { mediaId: id, ownerId });
  });
}

async function processUpload(
  ctx: Context,
  id: string,
  attempt: { isLast: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== 'processing') return;
  try {
    // What an attempt that was cut off left behind, half files included.
    await ctx.storage.removeAll(variantPrefix(id));
    const made = await writeVariants(ctx, id, await readOriginal(ctx, id), attempt.signal);
    await ctx.db.transaction(async (tx) => {
      if (!(await store.markReady(tx, id, made, ctx.clock.now()))) {
        // Discarded by its owner meanwhile.
        await enqueueDiscard(ctx, tx, prefixesOf(id));
        return;
      }
      await ctx.jobs.add(
        tx,
        avifJob,
        { mediaId: id },
        { key: `media.avif:${id}`, maxAttempts: ATTEMPTS, priority: PRIORITY.avif },
      );
      await tx.emit('media.processed', { mediaId: id, ownerId: row.owner_id });
    });
  } catch (error) {
    if (error instanceof pictures.PictureError) return failUpload(ctx, id, row.owner_id, error.message);
    if (!attempt.isLast || attempt.signal?.aborted) throw error;
    ctx.log.error({ err: error, mediaId: id }, 'a picture could not be processed');
    await failUpload(ctx, id, row.owner_id, pictures.SENTENCES.unknown);
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
    if (await store.setAvifWidths(tx, id, widths)) await tx.emit('media.improved', { mediaId: id });
    else await enqueueDiscard(ctx, tx, prefixesOf(id));
  });
}

/** Declares the jobs; each is harmless when it runs again, as all that it writes is decided by the upload. */
export function defineJobs(ctx: Context): void {
  ctx.jobs.define(processJob, ({ mediaId: id }, attempt) => processUpload(ctx, id, attempt));
  ctx.jobs.define(avifJob, ({ mediaId: id }, { signal }) => addAvif(ctx, id, signal));
  ctx.jobs.define(discardJob, async ({ prefixes }) => {
    for (const prefix of prefixes) {
      await ctx.storage.removeAll(prefix);
      await ctx.storage.remove(prefix);
    }
  });
}

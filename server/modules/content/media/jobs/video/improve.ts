/** Steps that an interrupted attempt finished are not repeated. */
import path from 'node:path';
import {
  createGifs,
  createPlainFile,
  createSprite,
  type EncodeResult,
  encode,
  encodeDecodable,
  extractFrame,
  extractSubtitles,
  hasVideo,
  isDamaged,
  isTooDamaged,
  listRenditionSpecs,
  MEDIA_MESSAGES,
  MediaError,
  type ProbedSource,
  type RenditionSpec,
  type VideoFile,
  type VideoSource,
} from '../../../media-processing/index.ts';
import { clipKey, previewKey, toRenditionPath, toSerialPath, variantKey } from '../../keys.ts';
import { addEmbeddedCaptions } from '../../library/caption-tracks.ts';
import type * as store from '../../store.ts';
import { writeVariants } from '../picture-jobs.ts';
import * as steps from '../processing-state.ts';
import { GoneError } from '../progress.ts';
import { enqueueOriginalDeletion } from '../queue.ts';
import {
  FIRST_POSTER_WIDTH,
  type StreamJobRun,
  storeMasterPlaylist,
  storeRendition,
  storeStreamFile,
} from './stream-files.ts';

/** The later of two concurrent updates counts. */
async function saveImprovement(
  { ctx, row, output }: StreamJobRun,
  stream: Partial<store.StreamMetadata>,
  source: Partial<store.SourceMetadata> = {},
): Promise<void> {
  output.canBeReferenced = true;
  await ctx.db.transaction(async (tx) => {
    if (!(await steps.updateStream(tx, row.id, stream, source))) throw new GoneError('the medium was deleted');
    await tx.emit('media.updated', { mediaId: row.id });
  });
}

/** Does nothing if the owner has chosen a poster meanwhile. */
async function addPoster(job: StreamJobRun, videoFile: VideoFile): Promise<void> {
  const { ctx, row, workspace, output } = job;
  const frame = await extractFrame(workspace, videoFile, row.poster_second ?? 0);
  if (!frame) return;
  const variants = await writeVariants(ctx, row.id, frame, { signal: workspace.signal, serial: output.serial });
  output.canBeReferenced = true;
  await ctx.db.transaction(async (tx) => {
    if (await steps.replacePictureIfUnchanged(tx, row.id, variants, row.picture_serial))
      await tx.emit('media.updated', { mediaId: row.id });
  });
}

async function addStills(
  job: StreamJobRun,
  videoFile: VideoFile,
  size: { width: number; height: number },
  existing: store.StreamMetadata,
): Promise<void> {
  const { ctx, row, workspace, output } = job;
  const { serial } = output;
  if (!existing.sprite) {
    const result = await createSprite(workspace, videoFile, size);
    if (result) {
      const file = toSerialPath(serial, 'f/sprite.webp');
      await ctx.storage.put(variantKey(row.id, file), result.content, 'image/webp');
      await saveImprovement(job, { sprite: { ...result.sprite, file } });
    }
  }
  if (existing.clip === null) {
    const { open, locked } = await createGifs(workspace, videoFile);
    await ctx.storage.put(clipKey(row.id, serial), open, 'image/gif');
    await ctx.storage.put(previewKey(row.id, toSerialPath(serial, 'preview.gif')), locked, 'image/gif');
    await saveImprovement(job, { clip: serial });
  }
}

/** A file made from another picture gets another name, because what was published under a name never changes. */
async function addFile(job: StreamJobRun, input: { file: string; source: ProbedSource }, name: string): Promise<void> {
  await createPlainFile(job.workspace, input, name);
  await saveImprovement(job, { file: await storeStreamFile(job, 'f', name) });
}

/** A video in use is not withdrawn. It plays as far as it decodes. */
async function withdraw({ ctx, row }: StreamJobRun): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await steps.markWithdrawn(tx, row.id, MEDIA_MESSAGES.damagedVideo, ctx.clock.now()))) return;
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
  });
}

/** Withdraws the video if too little decodes. Throws MediaError if nothing does. */
async function encodeOrWithdraw(
  job: StreamJobRun,
  source: VideoSource,
  specs: readonly RenditionSpec[],
): Promise<EncodeResult> {
  const { workspace, progress, original } = job;
  const encoded = await encodeDecodable(workspace, original, source, specs, progress.report).catch(
    async (error: unknown) => {
      if (error instanceof MediaError && error.message === MEDIA_MESSAGES.damagedVideo) await withdraw(job);
      throw error;
    },
  );
  const [first] = encoded.renditions;
  if (!first || isTooDamaged(source.video, first, encoded.damage, source.seconds)) await withdraw(job);
  return encoded;
}

/**
 * This is the first full decode of a video that was published without encoding. If a part of it is broken, the encoded
 * version replaces it.
 */
async function addRenditions(
  job: StreamJobRun,
  source: VideoSource & store.SourceMetadata,
): Promise<{ renditions: store.StoredRendition[]; isRemuxed: boolean }> {
  const { row, workspace, progress, original } = job;
  const sourceRendition = source.renditions.find((rendition) => rendition.name === 'src');
  const sourceSide = Math.min(source.video.width, source.video.height);
  const existing = new Set(source.renditions.map((rendition) => rendition.name));
  const missing = listRenditionSpecs(source.video).filter((spec) => !existing.has(spec.name));
  const isCoveredBySource = (spec: RenditionSpec) =>
    source.canStayRemuxed && Math.min(spec.width, spec.height) >= sourceSide;
  const encodeSpecs = async (specs: readonly RenditionSpec[]) => {
    const { seconds } = source;
    if (specs.length === 0)
      return { made: [], isBroken: sourceRendition ? await isDamaged(workspace, original, source) : false, seconds };
    const encoded = await (sourceRendition
      ? encodeOrWithdraw(job, source, specs)
      : encode(workspace, original, source, specs, progress.report));
    const made: store.StoredRendition[] = [];
    for (const { rendition } of encoded.renditions) made.push(await storeRendition(job, rendition));
    return {
      made,
      isBroken: encoded.damage.isDetected || encoded.isShort,
      seconds: encoded.renditions[0]?.seconds ?? seconds,
    };
  };
  const { made, isBroken, seconds } = await encodeSpecs(missing.filter((spec) => !isCoveredBySource(spec)));
  const isReplaced = isBroken && sourceRendition !== undefined;
  if (made.length === 0 && !isReplaced) return source;
  const coveredSpecs = missing.filter(isCoveredBySource);
  const replacement = isReplaced && coveredSpecs.length > 0 ? await encodeSpecs(coveredSpecs) : undefined;
  const isSourceServed = !isReplaced && (source.canStayRemuxed || made.length === 0);
  const renditions = [
    ...source.renditions.filter((rendition) => rendition !== sourceRendition || isSourceServed),
    ...made,
    ...(replacement?.made ?? []),
  ];
  const isRemuxed = source.isRemuxed && !isReplaced;
  const lengthChange = isReplaced ? { seconds: replacement?.seconds ?? seconds } : {};
  const stream = { hls: await storeMasterPlaylist(job, renditions), ...(isReplaced ? { file: null } : {}) };
  await saveImprovement(job, stream, { renditions, isRemuxed, ...lengthChange });
  job.ctx.log.debug({ mediaId: row.id, renditions: renditions.length, isReplaced }, 'all renditions are complete');
  return { renditions, isRemuxed };
}

/** Throws GoneError. */
/** Text subtitles of the file become captions. Those that cannot be read are counted as left out. */
async function addEmbeddedSubtitles(job: StreamJobRun, source: store.SourceMetadata): Promise<void> {
  const { ctx, row, workspace, original } = job;
  let leftOutSubtitles = source.leftOutSubtitles ?? 0;
  for (const track of source.subtitles ?? []) {
    if (row.captions.some(({ language }) => language === track.language)) continue;
    const content = await extractSubtitles(workspace, { file: original, demuxer: source.demuxer }, track.index);
    if (!content || !(await addEmbeddedCaptions(ctx, row.id, track, content))) leftOutSubtitles += 1;
  }
  await saveImprovement(job, {}, { subtitles: [], leftOutSubtitles });
}

export async function improveAll(job: StreamJobRun): Promise<void> {
  const { ctx, row, workspace, progress, original } = job;
  const { source, stream } = row;
  await progress.enter('improving');
  if (source?.subtitles && source.subtitles.length > 0) await addEmbeddedSubtitles(job, source);
  if (source && stream && hasVideo(source)) {
    const remuxed = source.isRemuxed ? { file: original, source } : undefined;
    if (remuxed && !stream.file) await addFile(job, remuxed, 'video.mp4');
    const [first] = source.renditions;
    const isFirstPoster = row.picture_serial === (source.firstPosterSerial ?? 0);
    const needsLargerPoster = isFirstPoster && source.video.width > FIRST_POSTER_WIDTH;
    if (first && (!stream.sprite || stream.clip === null || needsLargerPoster)) {
      const file = path.join(workspace.dir, 'first.mp4');
      if (!remuxed && !(await ctx.storage.fetchFile(variantKey(row.id, toRenditionPath(first, 'mp4')), file)))
        throw new Error('a rendition that the row names is not in the store');
      const videoFile: VideoFile = {
        file: remuxed ? original : file,
        demuxer: remuxed ? source.demuxer : 'mov',
        seconds: source.seconds,
      };
      if (needsLargerPoster) await addPoster(job, videoFile);
      await addStills(job, videoFile, source.video, stream);
    }
    const { renditions, isRemuxed } = await addRenditions(job, source);
    if (!isRemuxed && (remuxed || !stream.file)) {
      const best = renditions.toSorted((a, b) => b.height - a.height)[0];
      const file = path.join(workspace.dir, 'best.mp4');
      const audio = source.audio && { ...source.audio, isPlayable: true };
      if (best && (await ctx.storage.fetchFile(variantKey(row.id, toRenditionPath(best, 'mp4')), file)))
        await addFile(job, { file, source: { ...source, demuxer: 'mov', audio } }, 'film.mp4');
    }
  }
  await ctx.db.transaction(async (tx) => {
    if (!(await steps.setStage(tx, row, 'done', 1))) return;
    await enqueueOriginalDeletion(ctx, tx, row.id);
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
  });
}

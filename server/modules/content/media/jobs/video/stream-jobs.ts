/**
 * Each job starts from what is stored, so that a process may be killed at any moment. Each has its own work folder and
 * serial, and publishes only complete results. Concurrent runs do the work twice, and one of them counts.
 */
import path from 'node:path';
import type { Context } from '../../../../../platform/context.ts';
import type { JobAttempt } from '../../../../../platform/jobs/jobs.ts';
import {
  canStayRemuxed,
  canUseEarlyRemux,
  createPlainFile,
  drawCover,
  type EarlyRemux,
  encode,
  extractEmbeddedCover,
  extractFrame,
  findStreamDemuxer,
  findTools,
  getFirstRenditionSpec,
  getPosterSecond,
  hasVideo,
  inspectSource,
  isAnimatedType,
  isDiskFull,
  isTooDamaged,
  MEDIA_MESSAGES,
  MediaError,
  makeLoop,
  normalizeAudio,
  type PackagedRendition,
  type ProbedSource,
  remuxSource,
  spotCheck,
  startEarlyRemux,
  ToolError,
  type VideoFile,
  type VideoSource,
  withWorkFolder,
} from '../../../media-processing/index.ts';
import { deleteSerialFiles } from '../../files.ts';
import { originalKey } from '../../keys.ts';
import * as store from '../../store.ts';
import { writeVariants } from '../picture-jobs.ts';
import * as steps from '../processing-state.ts';
import { createProgress, GoneError } from '../progress.ts';
import { encodeJob, enqueueMediaJob, failUpload, improveJob, retryLater, streamJob } from '../queue.ts';
import { improveAll } from './improve.ts';
import {
  FIRST_POSTER_WIDTH,
  type StreamJobRun,
  storeMasterPlaylist,
  storeRendition,
  storeStreamFile,
} from './stream-files.ts';

const EMPTY_STREAM: store.StreamMetadata = { hls: null, file: null, sprite: null, waveform: [], clip: null };

async function makePoster(
  job: StreamJobRun,
  videoFile: VideoFile,
): Promise<{ made: steps.PictureVariants; second: number }> {
  const { ctx, row, workspace, output } = job;
  const second = row.poster_second ?? getPosterSecond(videoFile.seconds);
  const frame =
    (await extractFrame(workspace, videoFile, second, FIRST_POSTER_WIDTH)) ??
    (second > 0 ? await extractFrame(workspace, videoFile, 0, FIRST_POSTER_WIDTH) : undefined);
  if (!frame) throw new MediaError(MEDIA_MESSAGES.damagedVideo);
  return { made: await writeVariants(ctx, row.id, frame, { signal: workspace.signal, serial: output.serial }), second };
}

/** Does nothing if another attempt was first or the owner deleted the medium. */
async function publishPlayable({ ctx, row, output }: StreamJobRun, playable: steps.PlayableMedia): Promise<void> {
  output.canBeReferenced = true;
  output.canBeReferenced = await ctx.db.transaction(async (tx) => {
    if (!(await steps.markPlayable(tx, row.id, playable, ctx.clock.now()))) return false;
    await enqueueMediaJob(ctx, tx, improveJob, row.id);
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
    return true;
  });
}

/** A loop is played from one plain file from the start. */
async function storeLoopFile(job: StreamJobRun, source: VideoSource): Promise<string> {
  await createPlainFile(job.workspace, { file: job.original, source }, 'video.mp4');
  return storeStreamFile(job, 'f', 'video.mp4');
}

async function publishVideo(
  job: StreamJobRun,
  source: VideoSource,
  packaged: PackagedRendition,
  isRemuxed: boolean,
  poster: Awaited<ReturnType<typeof makePoster>>,
) {
  const rendition = await storeRendition(job, packaged.rendition);
  const hls = await storeMasterPlaylist(job, [rendition]);
  const { width, height } = source.video;
  const isLoop = isAnimatedType(job.row.content_type);
  await publishPlayable(job, {
    kind: 'video',
    width,
    height,
    seconds: packaged.seconds,
    poster: poster.made,
    posterSecond: poster.second,
    stream: { ...EMPTY_STREAM, hls, isLoop, file: isLoop ? await storeLoopFile(job, source) : null },
    source: {
      ...source,
      seconds: packaged.seconds,
      renditions: [rendition],
      isRemuxed,
      canStayRemuxed: isRemuxed && canStayRemuxed(source.video, packaged),
      firstPosterSerial: poster.made.serial,
    },
  });
}

/**
 * `earlyRemux` is used if it is what would be made now. Returns false and publishes nothing if the picture is damaged or
 * interlaced.
 */
async function publishRemuxed(
  job: StreamJobRun,
  source: VideoSource,
  earlyRemux: EarlyRemux | undefined,
): Promise<boolean> {
  const { workspace, progress, original } = job;
  const canUseEarly = earlyRemux !== undefined && canUseEarlyRemux(source);
  if (!canUseEarly) await earlyRemux?.cancel();
  await progress.enter('packaging');
  const videoFile = { file: original, demuxer: source.demuxer, seconds: source.seconds };
  // Waits for all, because none may keep working in the folder after another one fails.
  const [packageResult, posterResult, checkResult] = await Promise.allSettled([
    remuxSource(workspace, original, source, progress.report, canUseEarly ? earlyRemux : undefined),
    makePoster(job, videoFile),
    spotCheck(workspace, original, source),
  ]);
  const packaged = getUnlessMediaFailed(packageResult);
  const poster = getUnlessMediaFailed(posterResult);
  const check = getUnlessMediaFailed(checkResult);
  if (!packaged || !poster || !check || check.isDamaged || check.isInterlaced) return false;
  await publishVideo(job, source, packaged, true, poster);
  return true;
}

/** Returns undefined if the file was at fault. Rethrows every other error. */
function getUnlessMediaFailed<T>(result: PromiseSettledResult<T>): T | undefined {
  if (result.status === 'fulfilled') return result.value;
  const { reason } = result;
  if (isDiskFull(reason) || !(reason instanceof MediaError || reason instanceof ToolError)) throw reason;
  return undefined;
}

/** Publishes what plays without encoding, and enqueues everything else for encoding. */
async function processStream(job: StreamJobRun): Promise<void> {
  const { ctx, row, workspace, progress, original } = job;
  const demuxer = findStreamDemuxer(row.content_type);
  if (!demuxer) throw new MediaError(MEDIA_MESSAGES.unknownType);
  let source: ProbedSource | undefined;
  const isLikelyH264 = row.kind === 'video' && demuxer === 'mov';
  const earlyRemux = isLikelyH264
    ? startEarlyRemux(workspace, original, demuxer, () => source, progress.report)
    : undefined;
  try {
    await progress.enter('inspecting');
    source = await inspectSource(workspace.tools, workspace.dir, original, demuxer, workspace.signal);
    if (hasVideo(source) && source.video.isPlayable) {
      if (await publishRemuxed(job, source, earlyRemux)) return;
      // Interlaced frames may follow many that are not.
      source = { ...source, video: { ...source.video, isPlayable: false, isInterlaced: true } };
    }
  } finally {
    await earlyRemux?.cancel();
  }
  await steps.setSource(ctx.db, row.id, hasVideo(source) ? 'video' : 'audio', {
    ...source,
    renditions: [],
    isRemuxed: false,
    canStayRemuxed: false,
  });
  await progress.enter('encoding');
  return ctx.db.transaction((tx) => enqueueMediaJob(ctx, tx, encodeJob, row.id));
}

async function processAudio(job: StreamJobRun, source: ProbedSource): Promise<void> {
  const { ctx, row, workspace, progress, original, output } = job;
  const sound = await normalizeAudio(workspace, original, source, progress.report);
  const file = await storeStreamFile(job, 'f', 'audio.m4a');
  const cover = await extractEmbeddedCover(workspace, original, source);
  const write = (picture: Buffer) => writeVariants(ctx, row.id, picture, { serial: output.serial });
  const drawAndWrite = () => drawCover(sound.waveform, row.id).then(write);
  const made = cover ? await write(cover).catch(drawAndWrite) : await drawAndWrite();
  await publishPlayable(job, {
    kind: 'audio',
    width: made.width,
    height: made.height,
    seconds: sound.seconds,
    poster: made,
    posterSecond: null,
    stream: { ...EMPTY_STREAM, file, waveform: sound.waveform },
    source: { ...source, seconds: sound.seconds, renditions: [], isRemuxed: false, canStayRemuxed: false },
  });
}

async function encodeFirst(job: StreamJobRun): Promise<void> {
  const { row, workspace, progress, original } = job;
  const { source } = row;
  if (!source) throw new Error('an upload without analysis');
  await progress.enter('encoding');
  if (!hasVideo(source)) return processAudio(job, source);
  const { renditions, damage } = await encode(
    workspace,
    original,
    source,
    [getFirstRenditionSpec(source.video)],
    progress.report,
  );
  const [packaged] = renditions;
  if (!packaged) throw new Error('nothing was encoded');
  if (isTooDamaged(source.video, packaged, damage)) throw new MediaError(MEDIA_MESSAGES.damagedVideo);
  const videoFile: VideoFile = { file: `${packaged.rendition.name}.mp4`, demuxer: 'mov', seconds: packaged.seconds };
  const poster = await makePoster(job, videoFile);
  return publishVideo(job, source, packaged, false, poster);
}

type StreamTask = {
  spec: typeof streamJob;
  status: 'processing' | 'ready';
  queue?: string;
  work: (job: StreamJobRun) => Promise<void>;
};
const STREAM_TASKS: readonly StreamTask[] = [
  { spec: streamJob, status: 'processing', work: processStream },
  { spec: encodeJob, status: 'processing', queue: 'media.encode', work: encodeFirst },
  { spec: improveJob, status: 'ready', queue: 'media.improve', work: improveAll },
];

function toFailureMessage(error: unknown): string {
  return isDiskFull(error) ? MEDIA_MESSAGES.storageFull : MEDIA_MESSAGES.streamProcessingFailed;
}

async function runTask(
  ctx: Context,
  task: StreamTask,
  id: string,
  attempt: JobAttempt,
  shutdown: AbortSignal,
): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== task.status) return;
  const tools = await findTools(ctx.config);
  if (!tools) {
    if (task.status !== 'processing') return;
    return retryLater(ctx, task.spec, row, { error: new Error('no ffmpeg'), message: MEDIA_MESSAGES.noTools });
  }
  const serial = await steps.allocateSerial(ctx.db, id);
  if (serial === undefined) return;
  const output = { serial, canBeReferenced: false };
  const progress = createProgress(ctx, row, AbortSignal.any([shutdown, ...(attempt.signal ? [attempt.signal] : [])]));
  try {
    await withWorkFolder(ctx.config.dataDir, async (dir) => {
      const originalPath = path.join(dir, 'original');
      if (!(await ctx.storage.fetchFile(originalKey(id), originalPath)))
        throw new Error('the original is not in the store');
      const workspace = { tools, dir, signal: progress.signal };
      const type = row.content_type;
      const original = isAnimatedType(type) ? await makeLoop(workspace, originalPath, type) : originalPath;
      await task.work({ ctx, row, progress, original, output, workspace });
    });
  } catch (error) {
    if (error instanceof GoneError) return;
    // The process is shutting down. The next one starts over, and this attempt does not count.
    if (shutdown.aborted || attempt.signal?.aborted)
      return ctx.db.transaction((tx) => enqueueMediaJob(ctx, tx, task.spec, id));
    if (!(error instanceof MediaError || attempt.isLast)) throw error;
    if (task.status === 'processing') {
      if (error instanceof MediaError) return failUpload(ctx, id, row.owner_id, error.message);
      return retryLater(ctx, task.spec, row, { error, message: toFailureMessage(error) });
    }
    ctx.log.warn({ err: error, mediaId: id }, 'a video could not be improved');
    await steps.setStage(ctx.db, row, 'done', 1);
  } finally {
    if (!output.canBeReferenced) await deleteSerialFiles(ctx, id, serial);
  }
}

/** Jobs are interrupted when `shutdown` is aborted. The next process starts them again. */
export function defineStreamJobs(ctx: Context, shutdown: AbortSignal): void {
  for (const task of STREAM_TASKS)
    ctx.jobs.define(task.spec, ({ mediaId }, attempt) => runTask(ctx, task, mediaId, attempt, shutdown), task.queue);
}

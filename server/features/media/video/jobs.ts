/**
 * Each job starts from what is stored, so that a process may be killed at any moment. Each has its own work folder and
 * serial, and publishes only complete results. Concurrent runs do the work twice, and one of them counts.
 */
import path from 'node:path';
import type { Context } from '../../../kernel/context.ts';
import type { Attempt } from '../../../kernel/jobs.ts';
import { discardSerial } from '../files.ts';
import { originalKey } from '../keys.ts';
import { writeVariants } from '../process.ts';
import { GoneError, progressOf } from '../progress.ts';
import { encodeJob, enqueue, failUpload, improveJob, streamJob, tryLater } from '../queue.ts';
import { MediaError, SENTENCES } from '../sentences.ts';
import * as steps from '../steps.ts';
import * as store from '../store.ts';
import { isMovingPicture, makeLoop, readerOf } from './animated.ts';
import { glanceAt } from './damage.ts';
import { improveAll } from './improve.ts';
import { inspect, type Source } from './inspect.ts';
import { FIRST_POSTER_WIDTH, isMoving, type Job, keep, storeMaster, storeRung } from './job.ts';
import { encode, firstStepOf, isLost, staysAsIs } from './ladder.ts';
import {
  type Early,
  isAsExpected,
  isFull,
  type Moving,
  makeFile,
  type Packaged,
  packageAsIs,
  packageEarly,
} from './package.ts';
import { drawCover, embeddedCover, normalise } from './sound.ts';
import { type Film, frameAt, posterSecondOf } from './stills.ts';
import { findTools, ToolError } from './tools.ts';
import { inWorkFolder } from './work.ts';

const NO_STREAM: store.StreamFacts = { hls: null, file: null, sprite: null, waveform: [], clip: null };

async function makePoster(job: Job, film: Film): Promise<{ made: steps.Made; second: number }> {
  const { ctx, row, bench, written } = job;
  const second = row.poster_second ?? posterSecondOf(film.seconds);
  const frame =
    (await frameAt(bench, film, second, FIRST_POSTER_WIDTH)) ??
    (second > 0 ? await frameAt(bench, film, 0, FIRST_POSTER_WIDTH) : undefined);
  if (!frame) throw new MediaError(SENTENCES.damagedVideo);
  return { made: await writeVariants(ctx, row.id, frame, { signal: bench.signal, serial: written.serial }), second };
}

/** Does nothing if another attempt was first or the owner deleted the medium. */
async function publish({ ctx, row, written }: Job, playable: steps.Playable): Promise<void> {
  written.mayCount = true;
  written.mayCount = await ctx.db.transaction(async (tx) => {
    if (!(await steps.markPlayable(tx, row.id, playable, ctx.clock.now()))) return false;
    await enqueue(ctx, tx, improveJob, row.id);
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
    return true;
  });
}

/** A loop is played from one plain file from the start. */
async function loopFile(job: Job, source: Moving): Promise<string> {
  await makeFile(job.bench, { file: job.original, source }, 'video.mp4');
  return keep(job, 'f', 'video.mp4');
}

async function publishVideo(
  job: Job,
  source: Moving,
  packaged: Packaged,
  isAsIs: boolean,
  poster: Awaited<ReturnType<typeof makePoster>>,
) {
  const rung = await storeRung(job, packaged.rung);
  const hls = await storeMaster(job, [rung]);
  const { width, height } = source.video;
  const isLoop = isMovingPicture(job.row.content_type);
  await publish(job, {
    kind: 'video',
    width,
    height,
    seconds: packaged.seconds,
    poster: poster.made,
    posterSecond: poster.second,
    stream: { ...NO_STREAM, hls, isLoop, file: isLoop ? await loopFile(job, source) : null },
    source: {
      ...source,
      seconds: packaged.seconds,
      rungs: [rung],
      isAsIs,
      staysAsIs: isAsIs && staysAsIs(source.video, packaged),
      firstPoster: poster.made.serial,
    },
  });
}

/**
 * `early` is used if it is what would be made now. Returns false and publishes nothing if the picture is damaged or
 * interlaced.
 */
async function playAsIs(job: Job, source: Moving, early: Early | undefined): Promise<boolean> {
  const { bench, progress, original } = job;
  const isEarly = early !== undefined && isAsExpected(source);
  if (!isEarly) await early?.drop();
  await progress.enter('packaging');
  const film = { file: original, demuxer: source.demuxer, seconds: source.seconds };
  // Waits for all, because none may keep working in the folder after another one fails.
  const [packaging, drawing, glance] = await Promise.allSettled([
    packageAsIs(bench, original, source, progress.report, isEarly ? early : undefined),
    makePoster(job, film),
    glanceAt(bench, original, source),
  ]);
  const packaged = doneOr(packaging);
  const poster = doneOr(drawing);
  const seen = doneOr(glance);
  if (!packaged || !poster || !seen || seen.isDamaged || seen.isInterlaced) return false;
  await publishVideo(job, source, packaged, true, poster);
  return true;
}

/** Returns undefined if the file was at fault. Rethrows every other error. */
function doneOr<T>(result: PromiseSettledResult<T>): T | undefined {
  if (result.status === 'fulfilled') return result.value;
  const { reason } = result;
  if (isFull(reason) || !(reason instanceof MediaError || reason instanceof ToolError)) throw reason;
  return undefined;
}

/** Publishes what plays without encoding, and enqueues everything else for encoding. */
async function makeStream(job: Job): Promise<void> {
  const { ctx, row, bench, progress, original } = job;
  const demuxer = readerOf(row.content_type);
  if (!demuxer) throw new MediaError(SENTENCES.type);
  let source: Source | undefined;
  const isLikely = row.kind === 'video' && demuxer === 'mov';
  const early = isLikely ? packageEarly(bench, original, demuxer, () => source, progress.report) : undefined;
  try {
    await progress.enter('inspecting');
    source = await inspect(bench.tools, bench.dir, original, demuxer, bench.signal);
    if (isMoving(source) && source.video.isPlayable) {
      if (await playAsIs(job, source, early)) return;
      // Interlaced frames may follow many that are not.
      source = { ...source, video: { ...source.video, isPlayable: false, isInterlaced: true } };
    }
  } finally {
    await early?.drop();
  }
  await steps.setSource(ctx.db, row.id, isMoving(source) ? 'video' : 'audio', {
    ...source,
    rungs: [],
    isAsIs: false,
    staysAsIs: false,
  });
  await progress.enter('encoding');
  return ctx.db.transaction((tx) => enqueue(ctx, tx, encodeJob, row.id));
}

async function makeSound(job: Job, source: Source): Promise<void> {
  const { ctx, row, bench, progress, original, written } = job;
  const sound = await normalise(bench, original, source, progress.report);
  const file = await keep(job, 'f', 'audio.m4a');
  const cover = await embeddedCover(bench, original, source);
  const write = (picture: Buffer) => writeVariants(ctx, row.id, picture, { serial: written.serial });
  const drawn = () => drawCover(sound.waveform, row.id).then(write);
  const made = cover ? await write(cover).catch(drawn) : await drawn();
  await publish(job, {
    kind: 'audio',
    width: made.width,
    height: made.height,
    seconds: sound.seconds,
    poster: made,
    posterSecond: null,
    stream: { ...NO_STREAM, file, waveform: sound.waveform },
    source: { ...source, seconds: sound.seconds, rungs: [], isAsIs: false, staysAsIs: false },
  });
}

async function encodeFirst(job: Job): Promise<void> {
  const { row, bench, progress, original } = job;
  const { source } = row;
  if (!source) throw new Error('an upload that nobody looked at');
  await progress.enter('encoding');
  if (!isMoving(source)) return makeSound(job, source);
  const { made, damage } = await encode(bench, original, source, [firstStepOf(source.video)], progress.report);
  const [packaged] = made;
  if (!packaged) throw new Error('nothing was encoded');
  if (isLost(source.video, packaged, damage)) throw new MediaError(SENTENCES.damagedVideo);
  const film: Film = { file: `${packaged.rung.name}.mp4`, demuxer: 'mov', seconds: packaged.seconds };
  const poster = await makePoster(job, film);
  return publishVideo(job, source, packaged, false, poster);
}

type Task = {
  spec: typeof streamJob;
  status: 'processing' | 'ready';
  lane?: string;
  work: (job: Job) => Promise<void>;
};
const TASKS: readonly Task[] = [
  { spec: streamJob, status: 'processing', work: makeStream },
  { spec: encodeJob, status: 'processing', lane: 'media.encode', work: encodeFirst },
  { spec: improveJob, status: 'ready', lane: 'media.improve', work: improveAll },
];

function sentenceOf(error: unknown): string {
  return isFull(error) ? SENTENCES.full : SENTENCES.unknownStream;
}

async function runTask(ctx: Context, task: Task, id: string, attempt: Attempt, closing: AbortSignal): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== task.status) return;
  const tools = await findTools(ctx.config);
  if (!tools) {
    if (task.status !== 'processing') return;
    return tryLater(ctx, task.spec, row, { error: new Error('no ffmpeg'), sentence: SENTENCES.noTools });
  }
  const serial = await steps.nextSerial(ctx.db, id);
  if (serial === undefined) return;
  const written = { serial, mayCount: false };
  const progress = progressOf(ctx, row, AbortSignal.any([closing, ...(attempt.signal ? [attempt.signal] : [])]));
  try {
    await inWorkFolder(ctx.config.dataDir, async (dir) => {
      const given = path.join(dir, 'original');
      if (!(await ctx.storage.give(originalKey(id), given))) throw new Error('the original is not in the store');
      const bench = { tools, dir, signal: progress.signal };
      const type = row.content_type;
      const original = isMovingPicture(type) ? await makeLoop(bench, given, type) : given;
      await task.work({ ctx, row, progress, original, written, bench });
    });
  } catch (error) {
    if (error instanceof GoneError) return;
    // The process is shutting down. The next one starts over, and this attempt does not count.
    if (closing.aborted || attempt.signal?.aborted) return ctx.db.transaction((tx) => enqueue(ctx, tx, task.spec, id));
    if (!(error instanceof MediaError || attempt.isLast)) throw error;
    if (task.status === 'processing') {
      if (error instanceof MediaError) return failUpload(ctx, id, row.owner_id, error.message);
      return tryLater(ctx, task.spec, row, { error, sentence: sentenceOf(error) });
    }
    ctx.log.warn({ err: error, mediaId: id }, 'a video stays as it is');
    await steps.setStage(ctx.db, row, 'done', 1);
  } finally {
    if (!written.mayCount) await discardSerial(ctx, id, serial);
  }
}

/** Jobs are interrupted when `closing` is aborted. The next process starts them again. */
export function defineStreamJobs(ctx: Context, closing: AbortSignal): void {
  for (const task of TASKS)
    ctx.jobs.define(task.spec, ({ mediaId }, attempt) => runTask(ctx, task, mediaId, attempt, closing), task.lane);
}

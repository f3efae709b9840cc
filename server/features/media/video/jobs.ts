/**
 * The jobs that make videos and audios playable, and then better. Each begins again from what is stored, so that a process
 * may be killed at any moment; each works in a folder of its own and publishes only what is whole.
 */
import path from 'node:path';
import type { Context } from '../../../kernel/context.ts';
import type { Attempt } from '../../../kernel/jobs.ts';
import { clipKey, contentTypeOf, MASTER, originalKey, previewKey, variantKey, variantPrefix } from '../keys.ts';
import { writeVariants } from '../process.ts';
import { GoneError, type Progress, progressOf } from '../progress.ts';
import {
  encodeJob,
  enqueue,
  enqueueDiscard,
  enqueueForget,
  failUpload,
  improveJob,
  prefixesOf,
  streamJob,
} from '../queue.ts';
import { MediaError, SENTENCES } from '../sentences.ts';
import * as store from '../store.ts';
import { demuxerOf, inspect, type Source } from './inspect.ts';
import { encode, firstStepOf, staysAsIs, stepsOf } from './ladder.ts';
import {
  type Bench,
  type Early,
  isAsExpected,
  isFull,
  type Moving,
  makeFile,
  type Packaged,
  packageAsIs,
  packageEarly,
} from './package.ts';
import { masterPlaylist, type Rung } from './playlist.ts';
import { drawCover, embeddedCover, normalise } from './sound.ts';
import { type Film, frameAt, makeGifs, makeSprite, posterSecondOf } from './stills.ts';
import { findTools } from './tools.ts';
import { inWorkFolder } from './work.ts';

type Row = store.MediaRow;
type Job = { ctx: Context; row: Row; bench: Bench; progress: Progress; original: string };

const NO_STREAM: store.StreamFacts = { hasHls: false, file: null, sprite: null, waveform: [], hasClip: false };

function isMoving(source: Source): source is Moving {
  return source.video !== null;
}

/** Moves a rung's two files into the store: what they are named by is published afterwards. */
async function storeRung({ ctx, row, bench }: Job, name: string): Promise<void> {
  for (const file of [`${name}.mp4`, `${name}.m3u8`])
    await ctx.storage.take(variantKey(row.id, `h/${file}`), path.join(bench.dir, file), contentTypeOf(file));
}

async function storeMaster({ ctx, row }: Job, rungs: readonly Rung[]): Promise<void> {
  const content = Buffer.from(masterPlaylist(rungs));
  await ctx.storage.put(variantKey(row.id, MASTER), content, contentTypeOf(MASTER));
}

/** So wide is the poster that is made while somebody waits; the full one follows. */
const FIRST_POSTER_WIDTH = 640;

/** The first poster, with everything that is made of pictures. */
async function makePoster(job: Job, film: Film): Promise<{ made: store.Made; second: number }> {
  const { ctx, row, bench } = job;
  const second = row.poster_second ?? posterSecondOf(film.seconds);
  const frame =
    (await frameAt(bench, film, second, FIRST_POSTER_WIDTH)) ??
    (second > 0 ? await frameAt(bench, film, 0, FIRST_POSTER_WIDTH) : undefined);
  if (!frame) throw new MediaError(SENTENCES.damagedVideo);
  return { made: await writeVariants(ctx, row.id, frame, { signal: bench.signal }), second };
}

/** What is playable is published, and what is better asked for. */
async function publish({ ctx, row }: Job, playable: store.Playable): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.markPlayable(tx, row.id, playable, ctx.clock.now())))
      return enqueueDiscard(ctx, tx, prefixesOf(row.id));
    await enqueue(ctx, tx, improveJob, row.id);
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
    return undefined;
  });
}

async function publishVideo(
  job: Job,
  source: Moving,
  packaged: Packaged,
  isAsIs: boolean,
  poster: Awaited<ReturnType<typeof makePoster>>,
) {
  await storeRung(job, packaged.rung.name);
  await storeMaster(job, [packaged.rung]);
  const { width, height } = source.video;
  await publish(job, {
    kind: 'video',
    width,
    height,
    seconds: packaged.seconds,
    poster: poster.made,
    posterSecond: poster.second,
    stream: { ...NO_STREAM, hasHls: true },
    source: {
      ...source,
      seconds: packaged.seconds,
      rungs: [packaged.rung],
      isAsIs,
      staysAsIs: isAsIs && staysAsIs(source.video, packaged),
    },
  });
}

/** Publishes a video whose picture is played as it is. What was packaged `early` counts if it came out as it would have now. */
async function playAsIs(job: Job, source: Moving, early: Early | undefined): Promise<void> {
  const { bench, progress, original } = job;
  const isEarly = early !== undefined && isAsExpected(source);
  if (!isEarly) await early?.drop();
  await progress.enter('packaging');
  const film = { file: original, demuxer: source.demuxer, seconds: source.seconds };
  const [packaged, poster] = await Promise.all([
    packageAsIs(bench, original, source, progress.report, isEarly ? early : undefined),
    makePoster(job, film),
  ]);
  return publishVideo(job, source, packaged, true, poster);
}

/** `media.stream`: what can be played as it is is packaged and published at once, all else queued for encoding. */
async function makeStream(job: Job): Promise<void> {
  const { ctx, row, bench, progress, original } = job;
  const demuxer = demuxerOf(row.content_type ?? '');
  if (!demuxer) throw new MediaError(SENTENCES.type);
  await ctx.storage.removeAll(variantPrefix(row.id));
  let source: Source | undefined;
  const isLikely = row.kind === 'video' && demuxer === 'mov';
  const early = isLikely ? packageEarly(bench, original, demuxer, () => source, progress.report) : undefined;
  try {
    await progress.enter('inspecting');
    source = await inspect(bench.tools, bench.dir, original, demuxer, bench.signal);
    if (isMoving(source) && source.video.isPlayable) return await playAsIs(job, source, early);
  } finally {
    await early?.drop();
  }
  await store.setSource(ctx.db, row.id, isMoving(source) ? 'video' : 'audio', {
    ...source,
    rungs: [],
    isAsIs: false,
    staysAsIs: false,
  });
  await progress.enter('encoding');
  return ctx.db.transaction((tx) => enqueue(ctx, tx, encodeJob, row.id));
}

async function makeSound(job: Job, source: Source): Promise<void> {
  const { ctx, row, bench, progress, original } = job;
  const sound = await normalise(bench, original, source, progress.report);
  await ctx.storage.take(variantKey(row.id, 'f/audio.m4a'), path.join(bench.dir, 'audio.m4a'), 'audio/mp4');
  const cover = await embeddedCover(bench, original, source);
  const drawn = () => drawCover(sound.waveform, row.id).then((picture) => writeVariants(ctx, row.id, picture));
  const made = cover ? await writeVariants(ctx, row.id, cover).catch(drawn) : await drawn();
  await publish(job, {
    kind: 'audio',
    width: made.width,
    height: made.height,
    seconds: sound.seconds,
    poster: made,
    posterSecond: null,
    stream: { ...NO_STREAM, file: 'audio.m4a', waveform: sound.waveform },
    source: { ...source, seconds: sound.seconds, rungs: [], isAsIs: false, staysAsIs: false },
  });
}

/** `media.encode`: one rung of a video, or the sound. */
async function encodeFirst(job: Job): Promise<void> {
  const { ctx, row, bench, progress, original } = job;
  const { source } = row;
  if (!source) throw new Error('an upload that nobody looked at');
  await progress.enter('encoding');
  await ctx.storage.removeAll(variantPrefix(row.id));
  if (!isMoving(source)) return makeSound(job, source);
  const [packaged] = await encode(bench, original, source, [firstStepOf(source.video)], progress.report);
  if (!packaged) throw new Error('nothing was encoded');
  const film: Film = { file: `${packaged.rung.name}.mp4`, demuxer: 'mov', seconds: packaged.seconds };
  const poster = await makePoster(job, film);
  return publishVideo(job, source, packaged, false, poster);
}

/** Notes what is better now, for the views of it. */
async function improve(
  { ctx, row }: Job,
  stream: Partial<store.StreamFacts>,
  source: Partial<store.SourceFacts> = {},
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.improveStream(tx, row.id, stream, source))) throw new GoneError('the medium is gone');
    await tx.emit('media.improved', { mediaId: row.id });
  });
}

/** The poster in every width, under a new name; unless its owner has chosen one meanwhile. */
async function addPoster(job: Job, film: Film): Promise<void> {
  const { ctx, row, bench } = job;
  const frame = await frameAt(bench, film, row.poster_second ?? 0);
  const serial = await store.nextSerial(ctx.db, row.id);
  if (!frame || serial === undefined) return;
  const made = await writeVariants(ctx, row.id, frame, { signal: bench.signal, serial });
  await ctx.db.transaction(async (tx) => {
    if (await store.setFirstPicture(tx, row.id, { made, serial })) await tx.emit('media.improved', { mediaId: row.id });
  });
}

/** Small frames and moving previews, of the rung that is there. */
async function addStills(
  job: Job,
  film: Film,
  size: { width: number; height: number },
  have: store.StreamFacts,
): Promise<void> {
  const { ctx, row, bench } = job;
  if (!have.sprite) {
    const made = await makeSprite(bench, film, size);
    if (made) {
      await ctx.storage.put(variantKey(row.id, 'f/sprite.webp'), made.content, 'image/webp');
      await improve(job, { sprite: { ...made.sprite, file: 'sprite.webp' } });
    }
  }
  if (!have.hasClip) {
    const { open, locked } = await makeGifs(bench, film);
    await ctx.storage.put(clipKey(row.id), open, 'image/gif');
    await ctx.storage.put(previewKey(row.id, 'preview.gif'), locked, 'image/gif');
    await improve(job, { hasClip: true });
  }
}

async function addFile(job: Job, input: { file: string; source: Source }): Promise<void> {
  const { ctx, row, bench } = job;
  await makeFile(bench, input, 'video.mp4');
  await ctx.storage.take(variantKey(row.id, 'f/video.mp4'), path.join(bench.dir, 'video.mp4'), 'video/mp4');
  await improve(job, { file: 'video.mp4' });
}

/** The rungs that are missing, all in one run; then the playlist that names them. */
async function addLadder(job: Job, source: Moving & store.SourceFacts): Promise<Rung[]> {
  const { row, bench, progress, original } = job;
  const own = source.rungs.find((rung) => rung.name === 'src');
  const ownSide = Math.min(source.video.width, source.video.height);
  const have = new Set(source.rungs.map((rung) => rung.name));
  const missing = stepsOf(source.video).filter(
    (step) => !have.has(step.name) && !(source.staysAsIs && Math.min(step.width, step.height) >= ownSide),
  );
  const made = missing.length > 0 ? await encode(bench, original, source, missing, progress.report) : [];
  for (const { rung } of made) await storeRung(job, rung.name);
  const rungs = [
    ...source.rungs.filter((rung) => rung !== own || source.staysAsIs || made.length === 0),
    ...made.map(({ rung }) => rung),
  ];
  await storeMaster(job, rungs);
  await improve(job, {}, { rungs });
  job.ctx.log.debug({ mediaId: row.id, rungs: rungs.length }, 'a ladder is complete');
  return rungs;
}

/** `media.improve`: what a cut-off attempt finished already is not done again. */
async function improveAll(job: Job): Promise<void> {
  const { ctx, row, bench, progress, original } = job;
  const { source, stream } = row;
  await progress.enter('improving');
  if (source && stream && isMoving(source)) {
    const asIs = source.isAsIs ? { file: original, source } : undefined;
    if (asIs && !stream.file) await addFile(job, asIs);
    const [first] = source.rungs;
    const lacksPoster = row.picture_serial === 0 && source.video.width > FIRST_POSTER_WIDTH;
    if (first && (!stream.sprite || !stream.hasClip || lacksPoster)) {
      const file = path.join(bench.dir, 'first.mp4');
      if (!asIs && !(await ctx.storage.give(variantKey(row.id, `h/${first.name}.mp4`), file)))
        throw new GoneError('the medium is gone');
      const film: Film = {
        file: asIs ? original : file,
        demuxer: asIs ? source.demuxer : 'mov',
        seconds: source.seconds,
      };
      if (lacksPoster) await addPoster(job, film);
      await addStills(job, film, source.video, stream);
    }
    const rungs = await addLadder(job, source);
    if (!asIs && !stream.file) {
      const best = rungs.toSorted((a, b) => b.height - a.height)[0];
      const file = path.join(bench.dir, 'best.mp4');
      if (best && (await ctx.storage.give(variantKey(row.id, `h/${best.name}.mp4`), file)))
        await addFile(job, {
          file,
          source: { ...source, demuxer: 'mov', audio: source.audio && { ...source.audio, isPlayable: true } },
        });
    }
  }
  await ctx.db.transaction(async (tx) => {
    if (!(await store.setStage(tx, row.id, 'done', 1))) return;
    await enqueueForget(ctx, tx, row.id);
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
  });
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

async function runTask(ctx: Context, task: Task, id: string, attempt: Attempt, closing: AbortSignal): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== task.status) return;
  const tools = await findTools(ctx.config);
  if (!tools) return task.status === 'processing' ? failUpload(ctx, id, row.owner_id, SENTENCES.noTools) : undefined;
  const progress = progressOf(ctx, row, AbortSignal.any([closing, ...(attempt.signal ? [attempt.signal] : [])]));
  try {
    await inWorkFolder(ctx.config.dataDir, async (dir) => {
      const original = path.join(dir, 'original');
      if (!(await ctx.storage.give(originalKey(id), original))) throw new MediaError(SENTENCES.damagedVideo);
      await task.work({ ctx, row, progress, original, bench: { tools, dir, signal: progress.signal } });
    });
  } catch (error) {
    if (error instanceof GoneError) return ctx.db.transaction((tx) => enqueueDiscard(ctx, tx, prefixesOf(id)));
    // The process drains: the next one begins again, as if this attempt had never been.
    if (closing.aborted || attempt.signal?.aborted) return ctx.db.transaction((tx) => enqueue(ctx, tx, task.spec, id));
    const isFinal = error instanceof MediaError || attempt.isLast;
    if (!isFinal) throw error;
    if (!(error instanceof MediaError))
      ctx.log.error({ err: error, mediaId: id }, 'a video or audio could not be processed');
    const sentence =
      error instanceof MediaError ? error.message : isFull(error) ? SENTENCES.full : SENTENCES.unknownStream;
    if (task.status === 'processing') return failUpload(ctx, id, row.owner_id, sentence);
    // It plays; what would have made it better did not work out.
    ctx.log.warn({ err: error, mediaId: id }, 'a video stays as it is');
    await store.setStage(ctx.db, id, 'done', 1);
  }
}

/** Declares the jobs. They are cut off when `closing` is aborted, and begin again in the next process. */
export function defineStreamJobs(ctx: Context, closing: AbortSignal): void {
  for (const task of TASKS)
    ctx.jobs.define(task.spec, ({ mediaId }, attempt) => runTask(ctx, task, mediaId, attempt, closing), task.lane);
}

/** Steps that an interrupted attempt finished are not repeated. */
import path from 'node:path';
import { clipKey, previewKey, rungFile, underSerial, variantKey } from '../keys.ts';
import { writeVariants } from '../process.ts';
import { GoneError } from '../progress.ts';
import { enqueueForget } from '../queue.ts';
import { MediaError, SENTENCES } from '../sentences.ts';
import * as steps from '../steps.ts';
import type * as store from '../store.ts';
import { isDamaged } from './damage.ts';
import type { Source } from './inspect.ts';
import { FIRST_POSTER_WIDTH, isMoving, type Job, keep, storeMaster, storeRung } from './job.ts';
import { type Encoded, encode, encodeDecodable, isLost, type Step, stepsOf } from './ladder.ts';
import { type Moving, makeFile } from './package.ts';
import { type Film, frameAt, makeGifs, makeSprite } from './stills.ts';

/** The later of two concurrent updates counts. */
async function improve(
  { ctx, row, written }: Job,
  stream: Partial<store.StreamFacts>,
  source: Partial<store.SourceFacts> = {},
): Promise<void> {
  written.mayCount = true;
  await ctx.db.transaction(async (tx) => {
    if (!(await steps.improveStream(tx, row.id, stream, source))) throw new GoneError('the medium is gone');
    await tx.emit('media.improved', { mediaId: row.id });
  });
}

/** Does nothing if the owner has chosen a poster meanwhile. */
async function addPoster(job: Job, film: Film): Promise<void> {
  const { ctx, row, bench, written } = job;
  const frame = await frameAt(bench, film, row.poster_second ?? 0);
  if (!frame) return;
  const made = await writeVariants(ctx, row.id, frame, { signal: bench.signal, serial: written.serial });
  written.mayCount = true;
  await ctx.db.transaction(async (tx) => {
    if (await steps.followPicture(tx, row.id, made, row.picture_serial))
      await tx.emit('media.improved', { mediaId: row.id });
  });
}

async function addStills(
  job: Job,
  film: Film,
  size: { width: number; height: number },
  have: store.StreamFacts,
): Promise<void> {
  const { ctx, row, bench, written } = job;
  const { serial } = written;
  if (!have.sprite) {
    const made = await makeSprite(bench, film, size);
    if (made) {
      const file = underSerial(serial, 'f/sprite.webp');
      await ctx.storage.put(variantKey(row.id, file), made.content, 'image/webp');
      await improve(job, { sprite: { ...made.sprite, file } });
    }
  }
  if (have.clip === null) {
    const { open, locked } = await makeGifs(bench, film);
    await ctx.storage.put(clipKey(row.id, serial), open, 'image/gif');
    await ctx.storage.put(previewKey(row.id, underSerial(serial, 'preview.gif')), locked, 'image/gif');
    await improve(job, { clip: serial });
  }
}

/** A file made from another picture gets another name, because what was published under a name never changes. */
async function addFile(job: Job, input: { file: string; source: Source }, name: string): Promise<void> {
  await makeFile(job.bench, input, name);
  await improve(job, { file: await keep(job, 'f', name) });
}

/** A video in use is not withdrawn. It plays as far as it decodes. */
async function withdraw({ ctx, row }: Job): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await steps.markWithdrawn(tx, row.id, SENTENCES.damagedVideo, ctx.clock.now()))) return;
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
  });
}

/** Withdraws the video if too little decodes. Throws MediaError if nothing does. */
async function encodeOwn(job: Job, source: Moving, wanted: readonly Step[]): Promise<Encoded> {
  const { bench, progress, original } = job;
  const encoded = await encodeDecodable(bench, original, source, wanted, progress.report).catch(
    async (error: unknown) => {
      if (error instanceof MediaError && error.message === SENTENCES.damagedVideo) await withdraw(job);
      throw error;
    },
  );
  const [first] = encoded.made;
  if (!first || isLost(source.video, first, encoded.damage, source.seconds)) await withdraw(job);
  return encoded;
}

/**
 * This is the first full decode of a video that was published without encoding. If a part of it is broken, the encoded
 * version replaces it.
 */
async function addLadder(
  job: Job,
  source: Moving & store.SourceFacts,
): Promise<{ rungs: store.StoredRung[]; isAsIs: boolean }> {
  const { row, bench, progress, original } = job;
  const own = source.rungs.find((rung) => rung.name === 'src');
  const ownSide = Math.min(source.video.width, source.video.height);
  const have = new Set(source.rungs.map((rung) => rung.name));
  const missing = stepsOf(source.video).filter((step) => !have.has(step.name));
  const isSpared = (step: Step) => source.staysAsIs && Math.min(step.width, step.height) >= ownSide;
  const make = async (wanted: readonly Step[]) => {
    const { seconds } = source;
    if (wanted.length === 0)
      return { made: [], isBroken: own ? await isDamaged(bench, original, source) : false, seconds };
    const encoded = await (own
      ? encodeOwn(job, source, wanted)
      : encode(bench, original, source, wanted, progress.report));
    const made: store.StoredRung[] = [];
    for (const { rung } of encoded.made) made.push(await storeRung(job, rung));
    return { made, isBroken: encoded.damage.isThere || encoded.isShort, seconds: encoded.made[0]?.seconds ?? seconds };
  };
  const { made, isBroken, seconds } = await make(missing.filter((step) => !isSpared(step)));
  const isReplaced = isBroken && own !== undefined;
  if (made.length === 0 && !isReplaced) return source;
  const spared = missing.filter(isSpared);
  const instead = isReplaced && spared.length > 0 ? await make(spared) : undefined;
  const keepsOwn = !isReplaced && (source.staysAsIs || made.length === 0);
  const rungs = [...source.rungs.filter((rung) => rung !== own || keepsOwn), ...made, ...(instead?.made ?? [])];
  const isAsIs = source.isAsIs && !isReplaced;
  const length = isReplaced ? { seconds: instead?.seconds ?? seconds } : {};
  const stream = { hls: await storeMaster(job, rungs), ...(isReplaced ? { file: null } : {}) };
  await improve(job, stream, { rungs, isAsIs, ...length });
  job.ctx.log.debug({ mediaId: row.id, rungs: rungs.length, isReplaced }, 'a ladder is complete');
  return { rungs, isAsIs };
}

/** Throws GoneError. */
export async function improveAll(job: Job): Promise<void> {
  const { ctx, row, bench, progress, original } = job;
  const { source, stream } = row;
  await progress.enter('improving');
  if (source && stream && isMoving(source)) {
    const asIs = source.isAsIs ? { file: original, source } : undefined;
    if (asIs && !stream.file) await addFile(job, asIs, 'video.mp4');
    const [first] = source.rungs;
    const isFirstPoster = row.picture_serial === (source.firstPoster ?? 0);
    const lacksPoster = isFirstPoster && source.video.width > FIRST_POSTER_WIDTH;
    if (first && (!stream.sprite || stream.clip === null || lacksPoster)) {
      const file = path.join(bench.dir, 'first.mp4');
      if (!asIs && !(await ctx.storage.give(variantKey(row.id, rungFile(first, 'mp4')), file)))
        throw new Error('a rung that the row names is not in the store');
      const film: Film = {
        file: asIs ? original : file,
        demuxer: asIs ? source.demuxer : 'mov',
        seconds: source.seconds,
      };
      if (lacksPoster) await addPoster(job, film);
      await addStills(job, film, source.video, stream);
    }
    const { rungs, isAsIs } = await addLadder(job, source);
    if (!isAsIs && (asIs || !stream.file)) {
      const best = rungs.toSorted((a, b) => b.height - a.height)[0];
      const file = path.join(bench.dir, 'best.mp4');
      const audio = source.audio && { ...source.audio, isPlayable: true };
      if (best && (await ctx.storage.give(variantKey(row.id, rungFile(best, 'mp4')), file)))
        await addFile(job, { file, source: { ...source, demuxer: 'mov', audio } }, 'film.mp4');
    }
  }
  await ctx.db.transaction(async (tx) => {
    if (!(await steps.setStage(tx, row, 'done', 1))) return;
    await enqueueForget(ctx, tx, row.id);
    await tx.emit('media.processed', { mediaId: row.id, ownerId: row.owner_id });
  });
}

/** The free taste of a locked video or audio: up to 45 s of it, encoded on its own, public. */
import path from 'node:path';
import type { Context } from '../../../kernel/context.ts';
import type { Attempt } from '../../../kernel/jobs.ts';
import { contentTypeOf, teaserKey, teaserPrefix, variantKey } from '../keys.ts';
import { teaserJob } from '../queue.ts';
import * as store from '../store.ts';
import { excerptOf } from './excerpt.ts';
import { AAC, type Bench, STRIPPED } from './package.ts';
import { type Demuxer, findTools, inputOf, LIMITS, runFfmpeg } from './tools.ts';
import { inWorkFolder } from './work.ts';

const PICTURE = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-crf',
  '23',
  '-maxrate',
  '2500k',
  '-bufsize',
  '4000k',
  '-g',
  '120',
];
const SIDE = 720;

type Piece = { file: string; demuxer: Demuxer; from: number };

/** Where the piece is cut from: the byte ranges of a video's best rung, or the whole of an audio. */
async function pieceOf(
  ctx: Context,
  bench: Bench,
  row: store.MediaRow,
  start: number,
  end: number,
): Promise<Piece | undefined> {
  if (row.kind === 'video') {
    const excerpt = await excerptOf(ctx.storage, bench, row, start, end);
    return excerpt && { file: excerpt.file, demuxer: 'mov', from: start - excerpt.start };
  }
  const file = path.join(bench.dir, 'audio.m4a');
  const isThere = row.stream?.file && (await ctx.storage.give(variantKey(row.id, `f/${row.stream.file}`), file));
  return isThere ? { file, demuxer: 'mov', from: start } : undefined;
}

async function cut(
  { tools, dir, signal }: Bench,
  piece: Piece,
  seconds: number,
  isVideo: boolean,
  name: string,
): Promise<void> {
  const input = [
    '-ss',
    Math.max(0, piece.from).toFixed(3),
    '-t',
    seconds.toFixed(3),
    ...inputOf(piece.demuxer, piece.file),
  ];
  const scale = `scale='if(lt(iw,ih),min(${SIDE},iw),-2)':'if(lt(iw,ih),-2,min(${SIDE},ih))',setsar=1,format=yuv420p`;
  const video = ['-map', '0:v:0', '-map', '0:a:0?', '-vf', scale, ...PICTURE];
  const what = isVideo ? video : ['-map', '0:a:0', '-vn'];
  await runFfmpeg(tools, {
    args: [...input, ...what, ...STRIPPED, ...AAC, '-movflags', '+faststart', '-f', 'mp4', name],
    cwd: dir,
    limits: { ...LIMITS.glimpse, timeoutMs: 20 * 60_000, signal },
  });
}

/** Makes or removes the file as the row says. What the owner changes meanwhile is the next job's. */
export async function makeTeaser(ctx: Context, id: string, signal?: AbortSignal): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== 'ready') return;
  const { teaser_start: start, teaser_end: end } = row;
  if (start === null || end === null) return ctx.storage.removeAll(teaserPrefix(id));
  const tools = await findTools(ctx.config);
  const serial = tools && (await store.nextSerial(ctx.db, id));
  if (!tools || serial === undefined) return;
  const isVideo = row.kind === 'video';
  const name = `${serial}.${isVideo ? 'mp4' : 'm4a'}`;
  await inWorkFolder(ctx.config.dataDir, async (dir) => {
    const bench = { tools, dir, signal };
    const piece = await pieceOf(ctx, bench, row, start, end);
    if (!piece) return;
    await cut(bench, piece, end - start, isVideo, name);
    await ctx.storage.take(teaserKey(id, name), path.join(dir, name), contentTypeOf(name));
  });
  const isWanted = await ctx.db.transaction(async (tx) => {
    if (!(await store.setTeaserFile(tx, id, { start, end, serial }))) return false;
    await tx.emit('media.improved', { mediaId: id });
    await tx.emit('media.processed', { mediaId: id, ownerId: row.owner_id });
    return true;
  });
  const isWorn = isWanted ? row.teaser_serial > 0 : true;
  const worn = isWanted ? `${row.teaser_serial}.${isVideo ? 'mp4' : 'm4a'}` : name;
  if (isWorn) await ctx.storage.remove(teaserKey(id, worn));
}

/** Declares the job. */
export function defineTeaserJob(ctx: Context): void {
  ctx.jobs.define(teaserJob, ({ mediaId }, { signal }: Attempt) => makeTeaser(ctx, mediaId, signal));
}

/** Public teaser of a locked video or audio: up to 45 s. */
import path from 'node:path';
import type { Context } from '../../../kernel/context.ts';
import type { Attempt } from '../../../kernel/jobs.ts';
import { teaserFile } from '../files.ts';
import { contentTypeOf, teaserKey, teaserPrefix, variantKey } from '../keys.ts';
import { teaserJob } from '../queue.ts';
import { nextSerial, setTeaserFile } from '../steps.ts';
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
  const isThere = row.stream?.file && (await ctx.storage.give(variantKey(row.id, row.stream.file), file));
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
  const video = ['-map', '0:V:0', '-map', '0:a:0?', '-vf', scale, ...PICTURE];
  const what = isVideo ? video : ['-map', '0:a:0', '-vn'];
  await runFfmpeg(tools, {
    args: [...input, ...what, ...STRIPPED, ...AAC, '-movflags', '+faststart', '-f', 'mp4', name],
    cwd: dir,
    limits: { ...LIMITS.glimpse, timeoutMs: 20 * 60_000, signal },
  });
}

/** Teasers made since the row was read have higher serials. */
export async function removeTeasers({ storage }: Context, { id, serial }: store.MediaRow): Promise<void> {
  for await (const { key } of storage.list(teaserPrefix(id)))
    if (Number.parseInt(key.slice(teaserPrefix(id).length + 1), 10) <= serial) await storage.remove(key);
}

/** Later changes by the owner are handled by the next job. */
export async function makeTeaser(ctx: Context, id: string, signal?: AbortSignal): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== 'ready') return;
  const { teaser_start: start, teaser_end: end } = row;
  if (start === null || end === null) return removeTeasers(ctx, row);
  const tools = await findTools(ctx.config);
  const serial = tools && (await nextSerial(ctx.db, id));
  if (!tools || serial === undefined) return;
  const isVideo = row.kind === 'video';
  const name = teaserFile(row, serial);
  const isStored = await inWorkFolder(ctx.config.dataDir, async (dir) => {
    const bench = { tools, dir, signal };
    const piece = await pieceOf(ctx, bench, row, start, end);
    if (!piece) return false;
    await cut(bench, piece, end - start, isVideo, name);
    await ctx.storage.take(teaserKey(id, name), path.join(dir, name), contentTypeOf(name));
    return true;
  });
  if (!isStored) return;
  const before = await ctx.db.transaction(async (tx) => {
    const worn = await setTeaserFile(tx, id, { start, end, serial });
    if (worn === undefined) return undefined;
    await tx.emit('media.improved', { mediaId: id });
    await tx.emit('media.processed', { mediaId: id, ownerId: row.owner_id });
    return worn;
  });
  // Deletes this file if its owner wants another one by now, otherwise the previous one.
  const worn = before ?? serial;
  if (worn > 0) await ctx.storage.remove(teaserKey(id, teaserFile(row, worn)));
}

export function defineTeaserJob(ctx: Context): void {
  ctx.jobs.define(teaserJob, ({ mediaId }, { signal }: Attempt) => makeTeaser(ctx, mediaId, signal));
}

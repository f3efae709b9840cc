/** What the jobs on videos and audios share: the attempt, and how what it made is stored under a number of its own. */
import path from 'node:path';
import type { Context } from '../../../kernel/context.ts';
import { contentTypeOf, rungFile, underSerial, variantKey } from '../keys.ts';
import type { Progress } from '../progress.ts';
import type * as store from '../store.ts';
import type { Source } from './inspect.ts';
import type { Bench, Moving } from './package.ts';
import { masterPlaylist, type Rung } from './playlist.ts';

/** One attempt at making something of a video or audio. */
export type Job = {
  ctx: Context;
  row: store.MediaRow;
  bench: Bench;
  progress: Progress;
  original: string;
  /** What it stores is stored under this number; `mayCount` once the row may name any of it. */
  written: { serial: number; mayCount: boolean };
};

export function isMoving(source: Source): source is Moving {
  return source.video !== null;
}

/** Moves a file of the folder into the store, and answers its name there. */
export async function keep({ ctx, row, bench, written }: Job, folder: 'h' | 'f', file: string): Promise<string> {
  const name = underSerial(written.serial, `${folder}/${file}`);
  await ctx.storage.take(variantKey(row.id, name), path.join(bench.dir, file), contentTypeOf(file));
  return name;
}

/** Moves a rung's two files into the store: what they are named by is published afterwards. */
export async function storeRung(job: Job, rung: Rung): Promise<store.StoredRung> {
  for (const ending of ['mp4', 'm3u8']) await keep(job, 'h', `${rung.name}.${ending}`);
  return { ...rung, serial: job.written.serial };
}

/** Writes the playlist of these rungs, and answers its name. It names what lies elsewhere in the medium's folder by the way there. */
export async function storeMaster({ ctx, row, written }: Job, rungs: readonly store.StoredRung[]): Promise<string> {
  const name = underSerial(written.serial, 'h/master.m3u8');
  const list = masterPlaylist(rungs, (rung) =>
    rung.serial === written.serial ? `${rung.name}.m3u8` : `../../${rungFile(rung, 'm3u8')}`,
  );
  await ctx.storage.put(variantKey(row.id, name), Buffer.from(list), contentTypeOf(name));
  return name;
}

/** So wide is the poster that is made while somebody waits; the full one follows. */
export const FIRST_POSTER_WIDTH = 640;

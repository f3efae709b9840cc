import path from 'node:path';
import type { Context } from '../../../kernel/context.ts';
import { contentTypeOf, rungFile, underSerial, variantKey } from '../keys.ts';
import type { Progress } from '../progress.ts';
import type * as store from '../store.ts';
import type { Source } from './inspect.ts';
import type { Bench, Moving } from './package.ts';
import { masterPlaylist, type Rung } from './playlist.ts';

export type Job = {
  ctx: Context;
  row: store.MediaRow;
  bench: Bench;
  progress: Progress;
  original: string;
  /** `mayCount` is true once the row may name files under this serial. */
  written: { serial: number; mayCount: boolean };
};

export function isMoving(source: Source): source is Moving {
  return source.video !== null;
}

export async function keep({ ctx, row, bench, written }: Job, folder: 'h' | 'f', file: string): Promise<string> {
  const name = underSerial(written.serial, `${folder}/${file}`);
  await ctx.storage.take(variantKey(row.id, name), path.join(bench.dir, file), contentTypeOf(file));
  return name;
}

/** Whatever names the two files is published afterwards. */
export async function storeRung(job: Job, rung: Rung): Promise<store.StoredRung> {
  for (const ending of ['mp4', 'm3u8']) await keep(job, 'h', `${rung.name}.${ending}`);
  return { ...rung, serial: job.written.serial };
}

/** Renditions under other serials are named by relative paths. */
export async function storeMaster({ ctx, row, written }: Job, rungs: readonly store.StoredRung[]): Promise<string> {
  const name = underSerial(written.serial, 'h/master.m3u8');
  const list = masterPlaylist(rungs, (rung) =>
    rung.serial === written.serial ? `${rung.name}.m3u8` : `../../${rungFile(rung, 'm3u8')}`,
  );
  await ctx.storage.put(variantKey(row.id, name), Buffer.from(list), contentTypeOf(name));
  return name;
}

/** This poster is made while the owner waits. The full one follows. */
export const FIRST_POSTER_WIDTH = 640;

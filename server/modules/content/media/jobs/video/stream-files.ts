import path from 'node:path';
import type { Context } from '../../../../../platform/context.ts';
import { formatMasterPlaylist, type Rendition, type ToolWorkspace } from '../../../media-processing/index.ts';
import { getContentType, toRenditionPath, toSerialPath, variantKey } from '../../keys.ts';
import type * as store from '../../store.ts';
import type { ProcessingProgress } from '../progress.ts';

export type StreamJobRun = {
  ctx: Context;
  row: store.MediaRow;
  workspace: ToolWorkspace;
  progress: ProcessingProgress;
  original: string;
  /** `canBeReferenced` is true once the row may name files under this serial. */
  output: { serial: number; canBeReferenced: boolean };
};

export async function storeStreamFile(
  { ctx, row, workspace, output }: StreamJobRun,
  folder: 'h' | 'f',
  file: string,
): Promise<string> {
  const name = toSerialPath(output.serial, `${folder}/${file}`);
  await ctx.storage.putFile(variantKey(row.id, name), path.join(workspace.dir, file), getContentType(file));
  return name;
}

/** Stores both files of a rendition before a playlist refers to them. */
export async function storeRendition(job: StreamJobRun, rendition: Rendition): Promise<store.StoredRendition> {
  for (const extension of ['mp4', 'm3u8']) await storeStreamFile(job, 'h', `${rendition.name}.${extension}`);
  return { ...rendition, serial: job.output.serial };
}

/** Renditions under other serials are named by relative paths. */
export async function storeMasterPlaylist(
  { ctx, row, output }: StreamJobRun,
  renditions: readonly store.StoredRendition[],
): Promise<string> {
  const name = toSerialPath(output.serial, 'h/master.m3u8');
  const list = formatMasterPlaylist(renditions, (rendition) =>
    rendition.serial === output.serial ? `${rendition.name}.m3u8` : `../../${toRenditionPath(rendition, 'm3u8')}`,
  );
  await ctx.storage.put(variantKey(row.id, name), Buffer.from(list), getContentType(name));
  return name;
}

/** This poster is made while the owner waits. The full one follows. */
export const FIRST_POSTER_WIDTH = 640;

/** Public teaser of a locked video or audio: up to 45 s. */
import path from 'node:path';
import type { Context } from '../../../../../platform/context.ts';
import type { JobAttempt } from '../../../../../platform/jobs/jobs.ts';
import {
  cutTeaser,
  findTools,
  type TeaserSource,
  type ToolWorkspace,
  withWorkFolder,
} from '../../../media-processing/index.ts';
import { teaserFile } from '../../files.ts';
import { getContentType, teaserKey, teaserPrefix, variantKey } from '../../keys.ts';
import * as store from '../../store.ts';
import { allocateSerial, setTeaserFile } from '../processing-state.ts';
import { teaserJob } from '../queue.ts';
import { extractStoredExcerpt } from './excerpt.ts';

async function findTeaserSource(
  ctx: Context,
  workspace: ToolWorkspace,
  row: store.MediaRow,
  start: number,
  end: number,
): Promise<TeaserSource | undefined> {
  if (row.kind === 'video') {
    const excerpt = await extractStoredExcerpt(ctx.storage, workspace, row, start, end);
    return excerpt && { file: excerpt.file, demuxer: 'mov', from: start - excerpt.start };
  }
  const file = path.join(workspace.dir, 'audio.m4a');
  const isFetched = row.stream?.file && (await ctx.storage.fetchFile(variantKey(row.id, row.stream.file), file));
  return isFetched ? { file, demuxer: 'mov', from: start } : undefined;
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
  const serial = tools && (await allocateSerial(ctx.db, id));
  if (!tools || serial === undefined) return;
  const isVideo = row.kind === 'video';
  const name = teaserFile(row, serial);
  const isStored = await withWorkFolder(ctx.config.dataDir, async (dir) => {
    const workspace = { tools, dir, signal };
    const teaserSource = await findTeaserSource(ctx, workspace, row, start, end);
    if (!teaserSource) return false;
    await cutTeaser(workspace, teaserSource, end - start, isVideo, name);
    await ctx.storage.putFile(teaserKey(id, name), path.join(dir, name), getContentType(name));
    return true;
  });
  if (!isStored) return;
  const replacedSerial = await ctx.db.transaction(async (tx) => {
    const previousSerial = await setTeaserFile(tx, id, { start, end, serial });
    if (previousSerial === undefined) return undefined;
    await tx.emit('media.updated', { mediaId: id });
    await tx.emit('media.processed', { mediaId: id, ownerId: row.owner_id });
    return previousSerial;
  });
  // Deletes this file if its owner wants another one by now, otherwise the previous one.
  const obsoleteSerial = replacedSerial ?? serial;
  if (obsoleteSerial > 0) await ctx.storage.remove(teaserKey(id, teaserFile(row, obsoleteSerial)));
}

export function defineTeaserJob(ctx: Context): void {
  ctx.jobs.define(teaserJob, ({ mediaId }, { signal }: JobAttempt) => makeTeaser(ctx, mediaId, signal));
}

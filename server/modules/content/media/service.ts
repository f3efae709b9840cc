import type { Media } from '@stagedoor/contract/content/media.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { inspectPicture } from '../media-processing/index.ts';
import './events.ts';
import { writeVariants } from './jobs/picture-jobs.ts';
import { markReady, setStage } from './jobs/processing-state.ts';
import { originalKey } from './keys.ts';
import { presentUpload } from './present.ts';
import * as store from './store.ts';
import { detectCopies } from './takedown.ts';
import * as texts from './texts.ts';

export async function listOwnMedia(db: Executor, ownerId: string, ids: readonly string[]): Promise<Media[]> {
  const rows = new Map((await store.listMediaByIds(db, ids)).map((row) => [String(row.id), row]));
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row && row.owner_id === ownerId && row.status !== 'uploading' ? [presentUpload(row)] : [];
  });
}

/**
 * Claims all or none. Returns their kinds in the order of `ids`. Throws NOT_FOUND for media of other users, CONFLICT
 * for media that are not ready or already used.
 */
export async function claimMedia(
  ctx: Context,
  tx: DbTransaction,
  ownerId: string,
  ids: readonly string[],
  isPublic: boolean,
): Promise<store.MediaKind[]> {
  const claimed = new Map(
    (await store.claim(tx, ownerId, ids, ctx.clock.now(), isPublic)).map(({ id, kind }) => [id, kind]),
  );
  return Promise.all(
    ids.map(async (id) => {
      const kind = claimed.get(id);
      if (kind) return kind;
      const row = await store.findMedia(tx, id);
      if (!row || row.owner_id !== ownerId || row.status === 'uploading')
        throw new AppError('NOT_FOUND', { message: texts.fileNoLongerExists });
      const message = row.used_at ? texts.fileInAnotherPost : texts.fileNotReady;
      throw new AppError('CONFLICT', { message });
    }),
  );
}

/** Makes media unused and private. */
export async function releaseMedia(tx: DbTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await store.release(tx, ids);
  await tx.emit('media.visibilityChanged', { mediaIds: [...ids], isPublic: false });
}

export async function updateMediaGrouping(tx: DbTransaction, ids: readonly string[]): Promise<void> {
  await store.setInSet(tx, ids, ids.length > 1);
}

/** Public addresses of private media return NOT_FOUND. */
export async function setMediaVisibility(tx: DbTransaction, ids: string[], isPublic: boolean): Promise<void> {
  await store.setPublic(tx, ids, isPublic);
  await tx.emit('media.visibilityChanged', { mediaIds: ids, isPublic });
}

/** Processes the picture immediately and returns its id. */
export async function importPicture(ctx: Context, ownerId: string, file: Buffer, fileName = ''): Promise<string> {
  const { contentType } = await inspectPicture(file);
  const id = createId(ctx.clock);
  await ctx.storage.put(originalKey(id), file, contentType);
  const serial = 1;
  const variants = await writeVariants(ctx, id, file, { serial });
  await ctx.db.query
    .insertInto('media')
    .values({
      id,
      owner_id: ownerId,
      status: 'processing',
      serial,
      file_name: fileName,
      byte_size: file.length,
      content_type: contentType,
      created_at: ctx.clock.now(),
    })
    .execute();
  await detectCopies(ctx, id);
  await markReady(ctx.db, id, variants, ctx.clock.now());
  await setStage(ctx.db, { id, status: 'ready' }, 'done', 1);
  return id;
}

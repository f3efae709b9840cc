/**
 * Deleted media are retained for some days and can be restored. They are erased immediately only for legal reasons and
 * account deletion.
 */
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import { getRetentionMs } from '../../../../platform/retention.ts';
import { avifJob, enqueueMediaJob, enqueueProcessing, enqueueRemoval, improveJob } from '../jobs/queue.ts';
import type { MediaKind, MediaStatus, Stage } from '../store.ts';

export const DELETED_RETENTION_MS = getRetentionMs('deletedMedia');
const BATCH_SIZE = 200;

const SOFT_DELETE: SqlStatement = {
  name: 'media-soft-delete',
  text: `with deleted as (delete from media where id = $1 and used_at is null returning *),
    retained as (insert into deleted_media (id, owner_id, deleted_at, medium)
      select g.id, g.owner_id, $2, to_jsonb(g) from deleted g where g.status in ('processing', 'ready') returning id)
    select (select count(*) from deleted) as deleted, (select count(*) from retained) as retained`,
};

/** A failed one is not retained. Returns false if it is in use. */
export async function softDeleteUnused(ctx: Context, tx: DbTransaction, id: string): Promise<boolean> {
  const [row] = await tx.run<{ deleted: number; retained: number }>(SOFT_DELETE, [id, ctx.clock.now()]);
  if (!row || row.deleted === 0) return false;
  if (row.retained === 0) await enqueueRemoval(ctx, tx, id);
  // Clears rights that were cached moments ago.
  await tx.emit('media.visibilityChanged', { mediaIds: [id], isPublic: false });
  return true;
}

const RESTORE: SqlStatement = {
  name: 'media-restore',
  text: `with restored as (delete from deleted_media where id = $1 and owner_id = $2 returning medium)
    insert into media select r.* from restored, jsonb_populate_record(null::media, restored.medium) r returning kind, status, stage`,
};

/** Returns false if it was already erased. */
export async function restoreDeleted(ctx: Context, tx: DbTransaction, ownerId: string, id: string): Promise<boolean> {
  const [row] = await tx.run<{ kind: MediaKind; status: MediaStatus; stage: Stage }>(RESTORE, [id, ownerId]);
  if (!row) return false;
  // Jobs that ran meanwhile found no row and ended.
  if (row.status === 'processing') await enqueueProcessing(ctx, tx, id, row.kind);
  else if (row.stage !== 'done') await enqueueMediaJob(ctx, tx, row.kind === 'picture' ? avifJob : improveJob, id);
  return true;
}

const DUE: SqlStatement = {
  name: 'media-deleted-due',
  text: `delete from deleted_media where id in (
    select id from deleted_media where deleted_at <= $1 order by deleted_at limit $2 for update skip locked) returning id`,
};

export async function purgeDeleted(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - DELETED_RETENTION_MS);
  let purgedCount: number;
  do {
    purgedCount = await ctx.db.transaction(async (tx) => {
      const rows = await tx.run<{ id: string }>(DUE, [before, BATCH_SIZE]);
      for (const { id } of rows) await enqueueRemoval(ctx, tx, id);
      return rows.length;
    });
  } while (purgedCount === BATCH_SIZE);
}

const ERASE: SqlStatement = {
  name: 'media-erase',
  text: `with deleted as (delete from media where id = $1 or owner_id = $2 returning id),
    retained as (delete from deleted_media where id = $1 or owner_id = $2 returning id)
    select id from deleted union all select id from retained`,
};

/**
 * Erases one medium or all of an owner, including retained ones. References to them must be removed before, because the
 * database refuses otherwise.
 */
export async function eraseMedia(
  ctx: Context,
  tx: DbTransaction,
  target: { mediaId: string } | { ownerId: string },
): Promise<void> {
  const values = 'mediaId' in target ? [target.mediaId, null] : [null, target.ownerId];
  const rows = await tx.run<{ id: string }>(ERASE, values);
  for (const { id } of rows) await enqueueRemoval(ctx, tx, id);
  await tx.emit('media.visibilityChanged', { mediaIds: rows.map(({ id }) => id), isPublic: false });
}

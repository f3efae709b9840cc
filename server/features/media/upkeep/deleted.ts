/**
 * Deleted media are retained for some days and can be restored. They are erased immediately only for legal reasons and
 * account deletion.
 */
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/atoms/limits.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement, Transaction } from '../../../kernel/db.ts';
import { avifJob, enqueue, enqueueProcessing, enqueueRemoval, improveJob } from '../queue.ts';
import type { MediaKind, MediaStatus, Stage } from '../store.ts';

export const REST_MS = DELETED_MEDIA_DAYS * 24 * 60 * 60_000;
const AT_ONCE = 200;

const REST: Statement = {
  name: 'media-rest',
  text: `with gone as (delete from media where id = $1 and used_at is null returning *),
    kept as (insert into media_deleted (id, owner_id, deleted_at, medium)
      select g.id, g.owner_id, $2, to_jsonb(g) from gone g where g.status in ('processing', 'ready') returning id)
    select (select count(*) from gone) as gone, (select count(*) from kept) as kept`,
};

/** A failed one is not retained. Returns false if it is in use. */
export async function restUnused(ctx: Context, tx: Transaction, id: string): Promise<boolean> {
  const [row] = await tx.run<{ gone: number; kept: number }>(REST, [id, ctx.clock.now()]);
  if (!row || row.gone === 0) return false;
  if (row.kept === 0) await enqueueRemoval(ctx, tx, id);
  // Clears rights that were cached moments ago.
  await tx.emit('media.shown', { mediaIds: [id], isPublic: false });
  return true;
}

const RESTORE: Statement = {
  name: 'media-restore',
  text: `with back as (delete from media_deleted where id = $1 and owner_id = $2 returning medium)
    insert into media select r.* from back, jsonb_populate_record(null::media, back.medium) r returning kind, status, stage`,
};

/** Returns false if it was already erased. */
export async function restoreDeleted(ctx: Context, tx: Transaction, ownerId: string, id: string): Promise<boolean> {
  const [row] = await tx.run<{ kind: MediaKind; status: MediaStatus; stage: Stage }>(RESTORE, [id, ownerId]);
  if (!row) return false;
  // Jobs that ran meanwhile found no row and ended.
  if (row.status === 'processing') await enqueueProcessing(ctx, tx, id, row.kind);
  else if (row.stage !== 'done') await enqueue(ctx, tx, row.kind === 'picture' ? avifJob : improveJob, id);
  return true;
}

const DUE: Statement = {
  name: 'media-deleted-due',
  text: `delete from media_deleted where id in (
    select id from media_deleted where deleted_at <= $1 order by deleted_at limit $2 for update skip locked) returning id`,
};

export async function purgeDeleted(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - REST_MS);
  let taken: number;
  do {
    taken = await ctx.db.transaction(async (tx) => {
      const rows = await tx.run<{ id: string }>(DUE, [before, AT_ONCE]);
      for (const { id } of rows) await enqueueRemoval(ctx, tx, id);
      return rows.length;
    });
  } while (taken === AT_ONCE);
}

const ERASE: Statement = {
  name: 'media-erase',
  text: `with gone as (delete from media where id = $1 or owner_id = $2 returning id),
    rested as (delete from media_deleted where id = $1 or owner_id = $2 returning id)
    select id from gone union all select id from rested`,
};

/**
 * Erases one medium or all of an owner, including retained ones. References to them must be removed before, because the
 * database refuses otherwise.
 */
export async function eraseMedia(
  ctx: Context,
  tx: Transaction,
  which: { mediaId: string } | { ownerId: string },
): Promise<void> {
  const values = 'mediaId' in which ? [which.mediaId, null] : [null, which.ownerId];
  const rows = await tx.run<{ id: string }>(ERASE, values);
  for (const { id } of rows) await enqueueRemoval(ctx, tx, id);
  await tx.emit('media.shown', { mediaIds: rows.map(({ id }) => id), isPublic: false });
}

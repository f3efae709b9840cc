/** Pictures are validated by content, re-encoded, encrypted and stored where no public URL leads. */
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { deleteOrphanFiles } from '../../../platform/storage/orphan-files.ts';
import { toPlainJpeg } from '../../content/media/index.ts';
import { CASE_FILES, openEncryptedFile, storeEncrypted } from './evidence-files.ts';
import { deleteExpiredSnapshots, findKnownSnapshotKeys } from './profile-snapshots.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const BATCH_SIZE = 100;
const MAX_UNUSED = 20;

export type StoredPicture = { id: string; width: number; height: number };

/** Stores a picture. Throws UNSUPPORTED_TYPE, VALIDATION or CONFLICT with a message. */
export async function storeCasePicture(
  ctx: Context,
  ownerId: string,
  file: Buffer | undefined,
): Promise<StoredPicture> {
  if (!file || file.length === 0) throw createFieldError('file', texts.chooseImage);
  const { content, width, height } = await toPlainJpeg(file);
  if (Math.min(width, height) < CASE_LIMITS.minPixels) throw createFieldError('file', texts.imageTooSmall);
  const { count } = await ctx.db.query
    .selectFrom('case_pictures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('entry_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= MAX_UNUSED) throw createFieldError('file', texts.tooManyUnsentImages);
  const id = createId(ctx.clock);
  const key = `${CASE_FILES}/${ownerId}/${id}`;
  await storeEncrypted(ctx, key, content);
  await ctx.db.query
    .insertInto('case_pictures')
    .values({ id, owner_id: ownerId, file_key: key, width, height, uploaded_at: ctx.clock.now() })
    .execute();
  return { id, width, height };
}

/** Attaches pictures to an entry. Throws NOT_FOUND for one that is used already or not the user's. */
export async function attachPictures(
  tx: DbTransaction,
  ownerId: string,
  entryId: string,
  ids: readonly string[],
): Promise<void> {
  for (const [position, id] of [...new Set(ids)].entries()) {
    const updateResult = await tx.query
      .updateTable('case_pictures')
      .set({ entry_id: entryId, position })
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .where('entry_id', 'is', null)
      .executeTakeFirst();
    if (updateResult.numUpdatedRows !== 1n) throw new AppError('NOT_FOUND');
  }
}

export async function loadPictures(db: Executor, entryIds: readonly string[]): Promise<Map<string, StoredPicture[]>> {
  const picturesByEntry = new Map<string, StoredPicture[]>();
  if (entryIds.length === 0) return picturesByEntry;
  const rows = await db.query
    .selectFrom('case_pictures')
    .select(['id', 'entry_id', 'width', 'height'])
    .where('entry_id', 'in', [...entryIds])
    .orderBy('position')
    .execute();
  for (const { entry_id: entryId, ...picture } of rows)
    if (entryId !== null) picturesByEntry.set(entryId, [...(picturesByEntry.get(entryId) ?? []), picture]);
  return picturesByEntry;
}

/** Opens one of the caller's pictures. Throws NOT_FOUND. */
export async function openOwnPicture(ctx: Context, actor: Actor, id: string): Promise<FileResponse> {
  const row = await ctx.db.query
    .selectFrom('case_pictures')
    .select(['file_key', 'owner_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.owner_id !== actor.userId) throw new AppError('NOT_FOUND');
  return openEncryptedFile(ctx, row.file_key, { name: `${id}.jpg`, type: 'image/jpeg' });
}

const DELETE_UNUSED: SqlStatement = {
  name: 'moderation-forget-pictures',
  text: `delete from case_pictures where id in (select id from case_pictures where entry_id is null and uploaded_at < $1 order by id limit $2 for update)
    returning file_key as key`,
};
const DELETE_BY_OWNER: SqlStatement = {
  name: 'moderation-deletion-pictures',
  text: `delete from case_pictures where id in (select id from case_pictures where owner_id = $1 order by id limit $2 for update)
    returning file_key as key`,
};
const FIND_KNOWN: SqlStatement = {
  name: 'moderation-pictures-named',
  text: 'select file_key as key from case_pictures where file_key = any ($1::text[])',
};

/** Deletes files before rows, so that a run after an interruption finds them again. */
async function deletePictures(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  statement: SqlStatement,
  value: string | Date,
  signal?: AbortSignal,
): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
    signal?.throwIfAborted();
    count = await db.transaction(async (tx) => {
      const deleted = await tx.run<{ key: string }>(statement, [value, BATCH_SIZE]);
      for (const { key } of deleted) await storage.remove(key);
      return deleted.length;
    });
  }
}

export const deleteUserPictures = (
  ctx: Pick<Context, 'db' | 'storage'>,
  ownerId: string,
  signal: AbortSignal | undefined,
): Promise<void> => deletePictures(ctx, DELETE_BY_OWNER, ownerId, signal);

export async function purgeExpiredEvidence(ctx: Context): Promise<void> {
  await deletePictures(ctx, DELETE_UNUSED, new Date(ctx.clock.now().getTime() - DAY_MS));
  await ctx.db.query.deleteFrom('evidence_views').where('until', '<', ctx.clock.now()).execute();
  await deleteExpiredSnapshots(ctx);
  await deleteOrphanFiles(ctx, CASE_FILES, async (keys) => {
    const known = await ctx.db.run<{ key: string }>(FIND_KNOWN, [keys]);
    return new Set([...known.map(({ key }) => key), ...(await findKnownSnapshotKeys(ctx.db, keys))]);
  });
}

/**
 * Files of taken-down media are not served, not even to their owner, until the takedown is reversed. Copies are
 * recognized by the SHA-256 of the original.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import './events.ts';
import { originalKey } from './keys.ts';

const SET_TAKEN_DOWN: SqlStatement = {
  name: 'media-set-taken-down',
  text: `update media set taken_down_at = $2 where id = any ($1::uuid[]) and (taken_down_at is null) = ($2::timestamptz is not null) returning id`,
};

/** Restores them if `isTakenDown` is false. The event reaches every process. */
export async function setMediaTakenDown(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  ids: readonly string[],
  isTakenDown: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  const changed = await tx.run<{ id: string }>(SET_TAKEN_DOWN, [ids, isTakenDown ? clock.now() : null]);
  if (changed.length > 0)
    await tx.emit('media.visibilityChanged', { mediaIds: changed.map(({ id }) => id), isPublic: false });
}

const LIST_COPIES: SqlStatement = {
  name: 'media-list-copies',
  text: `select distinct other.id, other.owner_id as "ownerId" from media one join media other on other.content_hash = one.content_hash and other.id <> one.id
    where one.id = any ($1::uuid[]) and one.content_hash is not null`,
};

export async function listMediaCopies(
  db: Executor,
  ids: readonly string[],
): Promise<{ id: string; ownerId: string }[]> {
  return ids.length === 0 ? [] : db.run<{ id: string; ownerId: string }>(LIST_COPIES, [ids]);
}

const SAVE_HASH: SqlStatement = {
  name: 'media-save-hash',
  text: `update media m set content_hash = $2, taken_down_at = coalesce(m.taken_down_at,
      (select min(o.taken_down_at) from media o where o.content_hash = $2 and o.taken_down_at is not null and o.id <> m.id))
    where m.id = $1 returning m.owner_id, m.taken_down_at is not null as is_taken_down, old.taken_down_at is null as was_open`,
};

/** A copy of taken-down media is taken down too. Without the original it does nothing. */
export async function detectCopies(ctx: Pick<Context, 'db' | 'storage'>, id: string): Promise<void> {
  const original = await ctx.storage.open(originalKey(id));
  if (!original) return;
  const hash = createHash('sha256');
  for await (const part of await original.stream()) hash.update(part);
  await ctx.db.transaction(async (tx) => {
    type HashedMedia = { owner_id: string; is_taken_down: boolean; was_open: boolean };
    const [hashed] = await tx.run<HashedMedia>(SAVE_HASH, [id, hash.digest()]);
    if (!hashed?.is_taken_down) return;
    await tx.emit('media.visibilityChanged', { mediaIds: [id], isPublic: false });
    if (hashed.was_open) await tx.emit('media.copyTakenDown', { mediaId: id, ownerId: hashed.owner_id });
  });
}

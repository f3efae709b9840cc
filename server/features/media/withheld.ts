/**
 * Files of taken-down media are not served, not even to their owner, until the takedown is reversed. Copies are
 * recognized by the SHA-256 of the original.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import './events.ts';
import { originalKey } from './keys.ts';

const WITHHOLD: Statement = {
  name: 'media-withhold',
  text: `update media set withheld_at = $2 where id = any ($1::uuid[]) and (withheld_at is null) = ($2::timestamptz is not null) returning id`,
};

/** Restores them if `isWithheld` is false. The event reaches every process. */
export async function withholdMedia(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  ids: readonly string[],
  isWithheld: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  const changed = await tx.run<{ id: string }>(WITHHOLD, [ids, isWithheld ? clock.now() : null]);
  if (changed.length > 0) await tx.emit('media.shown', { mediaIds: changed.map(({ id }) => id), isPublic: false });
}

const SAME: Statement = {
  name: 'media-same',
  text: `select distinct other.id, other.owner_id as "ownerId" from media one join media other on other.content_hash = one.content_hash and other.id <> one.id
    where one.id = any ($1::uuid[]) and one.content_hash is not null`,
};

export async function findSameMedia(db: Executor, ids: readonly string[]): Promise<{ id: string; ownerId: string }[]> {
  return ids.length === 0 ? [] : db.run<{ id: string; ownerId: string }>(SAME, [ids]);
}

const KNOW: Statement = {
  name: 'media-know-copies',
  text: `update media m set content_hash = $2, withheld_at = coalesce(m.withheld_at,
      (select min(o.withheld_at) from media o where o.content_hash = $2 and o.withheld_at is not null and o.id <> m.id))
    where m.id = $1 returning m.owner_id, m.withheld_at is not null as is_withheld, old.withheld_at is null as was_open`,
};

/** A copy of taken-down media is taken down too. Without the original it does nothing. */
export async function knowCopies(ctx: Pick<Context, 'db' | 'storage'>, id: string): Promise<void> {
  const original = await ctx.storage.open(originalKey(id));
  if (!original) return;
  const hash = createHash('sha256');
  for await (const part of await original.stream()) hash.update(part);
  await ctx.db.transaction(async (tx) => {
    type Known = { owner_id: string; is_withheld: boolean; was_open: boolean };
    const [known] = await tx.run<Known>(KNOW, [id, hash.digest()]);
    if (!known?.is_withheld) return;
    await tx.emit('media.shown', { mediaIds: [id], isPublic: false });
    if (known.was_open) await tx.emit('media.copyWithheld', { mediaId: id, ownerId: known.owner_id });
  });
}

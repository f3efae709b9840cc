/** Buyers and the creator keep access to a hidden post, unless its files are taken down. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { addPostCount } from '../../identity/accounts/index.ts';
import { isFree } from '../entitlements/index.ts';
import { setMediaVisibility } from '../media/index.ts';
import './events.ts';
import type { PostRow } from './hydrate.ts';
import * as store from './store.ts';

/** Does not check permissions. Modules that call it decide access themselves. */
export function findAnyPost(db: Executor, id: string): Promise<PostRow | undefined> {
  return store.findPost(db, null, id);
}

/** Returns posts without their media. */
export async function listLatestPosts(
  db: Executor,
  creatorId: string,
  limit: number,
): Promise<{ id: string; caption: string; created_at: Date; removed_at: Date | null }[]> {
  // Two queries, so that each uses its own index.
  const [shown, removed] = await Promise.all(
    (['is', 'is not'] as const).map((operator) =>
      db.query
        .selectFrom('posts')
        .select(['id', 'caption', 'created_at', 'removed_at'])
        .where('creator_id', '=', creatorId)
        .where('removed_at', operator, null)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    ),
  );
  return [...(shown ?? []), ...(removed ?? [])].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

const FIND_STATUS: SqlStatement = {
  name: 'posts-status',
  text: `select hidden_at as "hiddenAt", removed_at as "removedAt", deleted_at as "deletedAt" from posts where id = $1`,
};
const SALES_TOTALS: SqlStatement = {
  name: 'posts-sold',
  text: `select count(*)::int as count, coalesce(sum(price_cents), 0)::bigint as cents,
      count(*) filter (where revoked_at is not null)::int as refunds,
      coalesce(sum(price_cents) filter (where revoked_at is not null), 0)::bigint as "refundedCents"
    from post_purchases where post_id = $1`,
};
type PostSalesTotals = { count: number; cents: number; refunds: number; refundedCents: number };

export async function getModerationStatus(
  db: Executor,
  id: string,
): Promise<{ hiddenAt: Date | null; removedAt: Date | null; deletedAt: Date | null }> {
  const [row] = await db.run<{ hiddenAt: Date | null; removedAt: Date | null; deletedAt: Date | null }>(FIND_STATUS, [
    id,
  ]);
  return row ?? { hiddenAt: null, removedAt: null, deletedAt: null };
}

export async function getSalesTotals(db: Executor, postId: string): Promise<PostSalesTotals> {
  return (
    (await db.run<PostSalesTotals>(SALES_TOTALS, [postId]))[0] ?? { count: 0, cents: 0, refunds: 0, refundedCents: 0 }
  );
}

/** Locks the creator's row first, as every change of a post does. */
async function lockPostAndCreator(tx: DbTransaction, id: string): Promise<PostRow | undefined> {
  const known = await store.findPost(tx, null, id);
  if (!known) return undefined;
  await store.lockCreator(tx, known.creator_id);
  await store.lockPost(tx, id);
  return store.findPost(tx, null, id);
}

export async function hidePost({ clock }: Pick<Context, 'clock'>, tx: DbTransaction, id: string): Promise<void> {
  const post = await lockPostAndCreator(tx, id);
  if (!post) return;
  const at = clock.now();
  await store.hide(tx, id, at);
  if (post.removed_at !== null) return;
  await store.removePost(tx, post, at);
  const mediaIds = post.media.map((media) => media.id);
  if (isFree(post.price_cents)) await setMediaVisibility(tx, mediaIds, false);
  await tx.emit('post.removed', { postId: id, creatorId: post.creator_id, username: post.username });
}

/** Publishes a post again that was published before, unless its creator deleted it meanwhile. */
export async function unhidePost(tx: DbTransaction, id: string): Promise<void> {
  const post = await lockPostAndCreator(tx, id);
  if (!post) return;
  const wasShown = await store.unhide(tx, id);
  const { creator_id: creatorId, username, type } = post;
  // Its creator removed it, so its files may be released now.
  if (!wasShown) return tx.emit('post.removed', { postId: id, creatorId, username });
  await store.restorePost(tx, id);
  await addPostCount(tx, creatorId, post.media_count, post.created_at);
  if (isFree(post.price_cents)) {
    const mediaIds = post.media.map((media) => media.id);
    await setMediaVisibility(tx, mediaIds, true);
  }
  await tx.emit('post.restored', { postId: id, creatorId, username, type });
}

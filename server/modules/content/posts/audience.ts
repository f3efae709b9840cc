/** Who can open paid posts by a subscription: the detail `subscribers`, mirrored into `posts.container_id`. */
import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { updatePostAudiences } from '@stagedoor/contract/content/posts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { postId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { isFree } from '../entitlements/index.ts';
import { listTiers } from '../subscription-tiers/index.ts';
import { toContainerSql } from './container-sql.ts';
import './events.ts';
import { lockCreator } from './store.ts';
import * as texts from './texts.ts';

type Audience = PostDetails['subscribers'];

/** Free posts are open to everyone, so they have no audience. */
export function toPublishedDetails(details: PostDetails, priceCents: number): PostDetails {
  return isFree(priceCents) ? { ...details, subscribers: 'none' } : details;
}

/**
 * Throws VALIDATION for a deleted tier, as for one of another creator and for an unknown id. The caller holds the lock on
 * the creator's row if the audience is stored for a post, so that no tier is deleted meanwhile.
 */
export async function requireOwnAudiences(
  db: Executor,
  creatorId: string,
  audiences: readonly Audience[],
): Promise<void> {
  const tierIds = audiences.filter((each) => each !== 'none' && each !== 'all');
  if (tierIds.length === 0) return;
  const ownIds = new Set<string>((await listTiers(db, creatorId)).map(({ id }) => id));
  if (!tierIds.every((id) => ownIds.has(id))) throw createFieldError('subscribers', texts.tierGone);
}

/** The details that a published post gets. Locks the creator's row. Throws VALIDATION. */
export async function resolveDetails(
  tx: DbTransaction,
  creatorId: string,
  details: PostDetails,
  priceCents: number,
): Promise<PostDetails> {
  const published = toPublishedDetails(details, priceCents);
  if (published.subscribers === 'none' || published.subscribers === 'all') return published;
  await lockCreator(tx, creatorId);
  await requireOwnAudiences(tx, creatorId, [published.subscribers]);
  return published;
}

type StoredAudience = { id: string; is_removed: boolean; price_cents: number; subscribers: Audience };
/** Locked in the order of their ids, so that requests with the same posts wait for each other. */
const LOCK_POSTS: SqlStatement = {
  name: 'posts-lock-audiences',
  text: `select id, removed_at is not null as is_removed, price_cents, coalesce(details ->> 'subscribers', 'none') as subscribers
    from posts where id = any($1::uuid[]) and creator_id = $2 order by id for no key update`,
};
const SET_AUDIENCES: SqlStatement = {
  name: 'posts-set-audiences',
  text: `update posts p set details = n.details, container_id = ${toContainerSql('n.details', 'p.creator_id')}
    from (select x.id, x.details || jsonb_build_object('subscribers', g.subscribers) as details
      from unnest($1::uuid[], $2::text[]) as g (id, subscribers) join posts x on x.id = g.id) n where p.id = n.id`,
};

/**
 * Changes all posts or none. Free posts are left as they are. Throws NOT_FOUND for a post of another creator, CONFLICT
 * for a removed one, VALIDATION for a tier that is not the creator's own.
 */
export async function updateAudiences(
  ctx: Context,
  actor: Actor,
  changes: BodyOf<typeof updatePostAudiences>['posts'],
): Promise<ResponseInputOf<typeof updatePostAudiences>> {
  const creatorId = actor.userId;
  const changed = await ctx.db.transaction(async (tx) => {
    await lockCreator(tx, creatorId);
    const ids = changes.map(({ id }) => id);
    const rows = await tx.run<StoredAudience>(LOCK_POSTS, [ids, creatorId]);
    if (rows.length < ids.length) throw new AppError('NOT_FOUND');
    if (rows.some((row) => row.is_removed)) throw new AppError('CONFLICT', { message: texts.postRemoved });
    await requireOwnAudiences(
      tx,
      creatorId,
      changes.map(({ subscribers }) => subscribers),
    );
    const audiences = new Map<string, Audience>(changes.map(({ id, subscribers }) => [id, subscribers]));
    const differing = rows.filter((row) => !isFree(row.price_cents) && audiences.get(row.id) !== row.subscribers);
    if (differing.length === 0) return [];
    const postIds = differing.map(({ id }) => id);
    await tx.run(SET_AUDIENCES, [postIds, postIds.map((id) => audiences.get(id))]);
    await tx.emit('post.audienceChanged', { creatorId, postIds });
    return differing;
  });
  return { previous: changed.map(({ id, subscribers }) => ({ id: z.parse(postId, id), subscribers })) };
}

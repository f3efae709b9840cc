/**
 * Posts of a deleted tier move to the next higher one, whose subscribers could open them before. Those of the highest
 * tier become posts for buyers only. Subscribers of the deleted tier can open them until their paid period ends.
 */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { copyGrants } from '../entitlements/index.ts';
import { findSuccessorTierId } from '../subscription-tiers/index.ts';
import './events.ts';
import { lockCreator } from './store.ts';

const BATCH_SIZE = 100;
const FANS_BATCH_SIZE = 1_000;

/** Removed posts are moved, too, because operators can restore them. */
const MOVE_POSTS: SqlStatement = {
  name: 'posts-leave-tier',
  text: `with batch as (
      select id from posts where creator_id = $1 and details ->> 'subscribers' = $2 and ${afterIdSql('id', '$4')} order by id limit $5)
    update posts p set details = p.details || jsonb_build_object('subscribers', coalesce($3::text, 'none')),
      container_id = coalesce($3::uuid, p.container_id)
    from batch where p.id = batch.id returning p.id`,
};

type DeletedTier = { creatorId: string; tierId: string; higherTierIds: readonly string[] };

async function movePosts(ctx: Context, tier: DeletedTier, after: string | null): Promise<string | null> {
  const { creatorId, tierId } = tier;
  return ctx.db.transaction(async (tx) => {
    // No tier is deleted while its posts arrive.
    await lockCreator(tx, creatorId);
    const successorId = await findSuccessorTierId(tx, tier);
    const rows = await tx.run<{ id: string }>(MOVE_POSTS, [creatorId, tierId, successorId, after, BATCH_SIZE]);
    const postIds = rows.map(({ id }) => id).sort();
    if (postIds.length > 0) await tx.emit('post.audienceChanged', { creatorId, postIds });
    return postIds.length === BATCH_SIZE ? (postIds.at(-1) ?? null) : null;
  });
}

const FANS = 'fans ';
const POSTS = 'posts ';

/**
 * Does one batch of the work and returns the cursor of the next, or null at the end. Who could open the posts gets access
 * to the tier that they move to before they move.
 */
export async function leaveDeletedTier(
  ctx: Context,
  tier: DeletedTier,
  previous: string | null,
): Promise<string | null> {
  let after: string | null = null;
  if (previous?.startsWith(POSTS)) after = previous.slice(POSTS.length);
  else {
    const toId = await findSuccessorTierId(ctx.db, tier);
    const grants = { fromId: tier.tierId, source: 'subscription', at: ctx.clock.now() } as const;
    const fanId = previous?.slice(FANS.length) ?? null;
    const nextFanId = toId && (await copyGrants(ctx.db, { ...grants, toId }, fanId, FANS_BATCH_SIZE));
    if (nextFanId) return `${FANS}${nextFanId}`;
  }
  const nextPostId = await movePosts(ctx, tier, after);
  return nextPostId && `${POSTS}${nextPostId}`;
}

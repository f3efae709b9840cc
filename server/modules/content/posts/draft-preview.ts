/** Uses the code for real posts, so that the preview agrees with them. */

import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { type PostId, postId } from '@stagedoor/contract/shared/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { getInitialEntitlement } from '../entitlements/index.ts';
import { openingTierSql } from '../subscription-tiers/index.ts';
import { toPublishedDetails } from './audience.ts';
import { toContainerSql } from './container-sql.ts';
import type { PostRow } from './hydrate.ts';
import { presentPost } from './present.ts';
import { toPostType } from './publish.ts';
import { listTaggableUsers } from './tagged-users.ts';

type Author = Pick<
  PostRow,
  'creator_id' | 'username' | 'name' | 'avatar_key' | 'is_blocked' | 'craft' | 'city' | 'is_verified'
>;

type AuthorRow = Author & { media_metadata: string; opening_tier_json: string | null };

const FIND_AUTHOR: SqlStatement = {
  name: 'posts-preview-content',
  text: `select u.id as creator_id, u.username, u.name, u.avatar_key, u.is_blocked, c.craft, c.city, c.is_verified,
    build_post_media_metadata($2::uuid[], $3::text[]) as media_metadata, ${openingTierSql('u.id', 'd.container_id')} as opening_tier_json
    from users u join creators c on c.user_id = u.id cross join (select ${toContainerSql('$4::jsonb', '$1::uuid')} as container_id) d
    where u.id = $1`,
};

export type PostPreviewInput = {
  id: string;
  creatorId: string;
  caption: string;
  priceCents: number;
  media: readonly { id: string; alt: string }[];
  details: PostDetails;
  people: readonly string[];
};

/** The media must exist. */
export async function presentPostPreview(
  ctx: Context,
  content: PostPreviewInput,
): Promise<{ open: Post; locked: Post | null }> {
  const { creatorId, caption, priceCents, media } = content;
  const details = toPublishedDetails(content.details, priceCents);
  const id: PostId = z.parse(postId, content.id);
  const values = [
    creatorId,
    media.map((medium) => medium.id),
    media.map((medium) => medium.alt),
    JSON.stringify(details),
  ];
  const [author] = await ctx.db.run<AuthorRow>(FIND_AUTHOR, values);
  if (!author) throw new Error('the author of a preview is not a creator');
  const metadata: PostRow['media'] = JSON.parse(author.media_metadata);
  const row: PostRow = {
    ...author,
    id,
    type: toPostType(metadata.map(({ kind }) => kind)),
    caption,
    price_cents: priceCents,
    files_revision: 1,
    media_count: media.length,
    like_count: 0,
    created_at: ctx.clock.now(),
    removed_at: null,
    is_liked: false,
    entitlement: getInitialEntitlement(false, priceCents),
    bought_cents: null,
    media: metadata,
    details,
    opening_tier: author.opening_tier_json === null ? null : JSON.parse(author.opening_tier_json),
    people: await listTaggableUsers(ctx.db, content.people),
    pin_place: null,
  };
  // Fields for the creator alone must stay out of it.
  return {
    open: presentPost({ ...row, entitlement: row.entitlement ?? 'purchase' }),
    locked: row.entitlement === null ? presentPost(row) : null,
  };
}

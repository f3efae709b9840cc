/** Uses the code for real posts, so that the preview agrees with them. */

import { type PostId, postId } from '@stagedoor/contract/atoms/ids.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { rightToNew } from '../entitlements/index.ts';
import type { PostRow } from './hydrate.ts';
import { findPeople } from './people.ts';
import { presentPost } from './present.ts';
import { typeOf } from './publish.ts';

type Author = Pick<
  PostRow,
  'creator_id' | 'username' | 'name' | 'avatar_key' | 'is_blocked' | 'craft' | 'city' | 'is_verified'
>;

const READ: Statement = {
  name: 'posts-preview-content',
  text: `select u.id as creator_id, u.username, u.name, u.avatar_key, u.is_blocked, c.craft, c.city, c.is_verified,
    post_media_facts($2::uuid[], $3::text[]) as media_facts
    from users u join creators c on c.user_id = u.id where u.id = $1`,
};

export type Previewed = {
  id: string;
  creatorId: string;
  caption: string;
  priceCents: number;
  media: readonly { id: string; alt: string }[];
  tags: string[];
  people: readonly string[];
};

/** The media must exist. */
export async function previewContent(ctx: Context, content: Previewed): Promise<{ open: Post; locked: Post | null }> {
  const { creatorId, caption, priceCents, media, tags } = content;
  const id: PostId = z.parse(postId, content.id);
  const values = [creatorId, media.map((medium) => medium.id), media.map((medium) => medium.alt)];
  const [found] = await ctx.db.run<Author & { media_facts: string }>(READ, values);
  if (!found) throw new Error('a preview for somebody who is no creator');
  const facts: PostRow['media'] = JSON.parse(found.media_facts);
  const row: PostRow = {
    ...found,
    id,
    type: typeOf(facts.map(({ kind }) => kind)),
    caption,
    price_cents: priceCents,
    files_revision: 1,
    media_count: media.length,
    like_count: 0,
    created_at: ctx.clock.now(),
    removed_at: null,
    is_liked: false,
    entitlement: rightToNew(false, priceCents),
    bought_cents: null,
    media: facts,
    tags,
    people: await findPeople(ctx.db, content.people),
    pin_place: null,
  };
  // Fields for the creator alone must stay out of it.
  return {
    open: presentPost({ ...row, entitlement: row.entitlement ?? 'purchase' }),
    locked: row.entitlement === null ? presentPost(row) : null,
  };
}

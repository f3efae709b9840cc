/** Creators who are tagged in a post can remove themselves for good. */
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { accessPost } from './access.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { TaggedUserRow } from './hydrate.ts';
import { lockPost } from './store.ts';
import * as texts from './texts.ts';

const LIST_TAGGABLE_USERS: SqlStatement = {
  name: 'posts-find-people',
  text: `select u.id, u.username, u.name, u.avatar_key
    from unnest($1::uuid[]) with ordinality as given (id, position) join users u on u.id = given.id join creators c on c.user_id = u.id
    where not u.is_blocked and u.email_verified_at is not null order by given.position`,
};
const FIND_REMOVED_USER: SqlStatement = {
  name: 'posts-find-left',
  text: `select u.name, u.username from post_people pp join users u on u.id = pp.user_id
    where pp.post_id = $1 and pp.user_id = any($2::uuid[]) and pp.left_at is not null limit 1`,
};
const REMOVE_TAGGED_USER: SqlStatement = {
  name: 'posts-leave',
  text: 'update post_people set left_at = coalesce(left_at, $3) where post_id = $1 and user_id = $2 returning 1 as found',
};
const UPDATE_HAS_TAGGED_USERS: SqlStatement = {
  name: 'posts-recount-people',
  text: `update posts p set has_people = exists (select from post_people pp where pp.post_id = p.id and pp.left_at is null)
    where p.id = $1 returning p.creator_id, (select u.username from users u where u.id = p.creator_id) as username`,
};

export function listTaggableUsers(db: Executor, ids: readonly string[]): Promise<TaggedUserRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.run<TaggedUserRow>(LIST_TAGGABLE_USERS, [ids]);
}

/** Throws VALIDATION. */
export async function requireTaggable(db: Executor, creatorId: string, ids: readonly string[]): Promise<void> {
  if (ids.includes(creatorId)) throw createFieldError('people', texts.ownTagError);
  if ((await listTaggableUsers(db, ids)).length < ids.length)
    throw createFieldError('people', texts.taggedUserNotCreator);
}

/** Throws VALIDATION. */
export async function requireNoRemovedTaggedUsers(db: Executor, postId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const [removed] = await db.run<{ name: string; username: string }>(FIND_REMOVED_USER, [postId, ids]);
  if (removed)
    throw createFieldError('people', formatText(texts.tagRemovedByUser, { name: removed.name || removed.username }));
}

/** Idempotent. Throws NOT_FOUND for a post that the actor is not in and may not see. */
export async function removeOwnTag(ctx: Context, actor: Actor, id: string): Promise<void> {
  const wasTagged = await ctx.db.transaction(async (tx) => {
    await lockPost(tx, id);
    if ((await tx.run(REMOVE_TAGGED_USER, [id, actor.userId, ctx.clock.now()])).length === 0) return false;
    const [post] = await tx.run<{ creator_id: string; username: string }>(UPDATE_HAS_TAGGED_USERS, [id]);
    if (post) await tx.emit('post.changed', { postId: id, creatorId: post.creator_id, username: post.username });
    return true;
  });
  if (!wasTagged) await accessPost(ctx.db, actor, id, 'view');
}

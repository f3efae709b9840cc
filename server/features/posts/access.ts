/** Who may do what with a post, in sentences. The only way to load one for somebody. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import type { PostRow } from './hydrate.ts';
import * as store from './store.ts';

/** Its media are open to its creator, to who bought it, and to everybody if it is free. */
export function isOpenTo(
  post: Pick<PostRow, 'price_cents' | 'creator_id' | 'purchase_id'>,
  viewerId: string | null,
): boolean {
  return post.price_cents === 0 || post.purchase_id !== null || (viewerId !== null && post.creator_id === viewerId);
}

/** It may be seen while it is published and its creator not blocked; by its creator and its buyers always. */
export function isVisibleTo(post: PostRow, viewerId: string | null): boolean {
  const isPublished = post.removed_at === null && !post.is_blocked;
  return isPublished || post.purchase_id !== null || (viewerId !== null && post.creator_id === viewerId);
}

/**
 * The post of an id, if the actor may do that with it: `view` and `like` who may see it; `unlock` a fan, unless it is free;
 * `edit` its creator. Throws NOT_FOUND for everything that the actor may not know of, FORBIDDEN for a free one.
 */
export async function accessPost(
  db: Executor,
  actor: Actor | undefined,
  id: string,
  want: 'view' | 'like' | 'unlock' | 'edit',
): Promise<PostRow> {
  const viewerId = actor?.userId ?? null;
  const unsafePost = await store.findPost(db, viewerId, id);
  if (!unsafePost || !isVisibleTo(unsafePost, viewerId)) throw new AppError('NOT_FOUND');
  if (want === 'edit' && unsafePost.creator_id !== viewerId) throw new AppError('NOT_FOUND');
  if (want === 'unlock') {
    if (actor?.type !== 'customer') throw new AppError('FORBIDDEN');
    if (unsafePost.price_cents === 0) throw new AppError('FORBIDDEN', { message: 'This post is free.' });
  }
  return unsafePost;
}

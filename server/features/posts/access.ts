/** Who may do what with a post, in sentences. The only way to load one for somebody. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Executor } from '../../kernel/db.ts';
import { requireSeenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { isFree } from '../entitlements/index.ts';
import type { PostRow } from './hydrate.ts';
import * as store from './store.ts';

/**
 * May be seen by whom it was read for: by everybody while it is published and its creator not blocked; by its creator and its
 * buyers always, unless it was taken down unsold and its files went back.
 */
export function isVisible(post: Pick<PostRow, 'removed_at' | 'is_blocked' | 'entitlement' | 'media_count'>): boolean {
  return post.media_count > 0 && ((post.removed_at === null && !post.is_blocked) || post.entitlement !== null);
}

/**
 * The post of an id, if the actor may do that with it: `view` and `like` who may see it; `unlock` a fan, unless it is free;
 * `edit` its creator. Throws NOT_FOUND for everything that the actor may not know of, FORBIDDEN for a free one.
 */
export async function accessPost(
  db: Executor,
  actor: Pick<Actor, 'userId' | 'type'> | undefined,
  id: string,
  want: 'view' | 'like' | 'unlock' | 'edit',
): Promise<PostRow> {
  const viewerId = actor?.userId ?? null;
  const unsafePost = await store.findPost(db, viewerId, id);
  if (unsafePost && unsafePost.entitlement === null) requireSeenHere(unsafePost.creator_id);
  if (!unsafePost || !isVisible(unsafePost)) throw new AppError('NOT_FOUND');
  if (want === 'edit' && unsafePost.creator_id !== viewerId) throw new AppError('NOT_FOUND');
  if (want === 'unlock') {
    if (actor?.type !== 'customer') throw new AppError('FORBIDDEN');
    if (isFree(unsafePost.price_cents)) throw new AppError('FORBIDDEN', { message: 'This post is free.' });
  }
  return unsafePost;
}

/** The only way to load a post for an actor. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { isFree } from '../entitlements/index.ts';
import type { PostRow } from './hydrate.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

/**
 * Everyone may see a post while it is published and its creator is not blocked. Its creator and buyers always may,
 * unless it was removed unsold and its files were released.
 */
export function isVisible(post: Pick<PostRow, 'removed_at' | 'is_blocked' | 'entitlement' | 'media_count'>): boolean {
  return post.media_count > 0 && ((post.removed_at === null && !post.is_blocked) || post.entitlement !== null);
}

/**
 * Loads a post for an actor: `view` and `like` need visibility, `unlock` a fan and a paid post, `edit` its creator.
 * Throws NOT_FOUND for everything that the actor may not know of, FORBIDDEN if `unlock` is not allowed.
 */
export async function accessPost(
  db: Executor,
  actor: Pick<Actor, 'userId' | 'type'> | undefined,
  id: string,
  action: 'view' | 'like' | 'unlock' | 'edit',
): Promise<PostRow> {
  const viewerId = actor?.userId ?? null;
  const unsafePost = await store.findPost(db, viewerId, id);
  if (unsafePost && unsafePost.entitlement === null) requireNotGeoBlocked(unsafePost.creator_id);
  if (!unsafePost || !isVisible(unsafePost)) throw new AppError('NOT_FOUND');
  if (action === 'edit' && unsafePost.creator_id !== viewerId) throw new AppError('NOT_FOUND');
  if (action === 'unlock') {
    if (actor?.type !== 'customer') throw new AppError('FORBIDDEN');
    if (isFree(unsafePost.price_cents)) throw new AppError('FORBIDDEN', { message: texts.thisPostIsFree });
  }
  return unsafePost;
}

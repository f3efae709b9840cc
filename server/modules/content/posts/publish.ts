import { toPostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { createPost, PostType } from '@stagedoor/contract/content/posts.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { requirePriceInLimits, requireSellerEligible } from '../../commerce/sales/index.ts';
import { isFree } from '../entitlements/index.ts';
import { claimMedia, type MediaKind } from '../media/index.ts';
import { resolveDetails } from './audience.ts';
import './events.ts';
import { insertPost } from './store.ts';
import { requireTaggable } from './tagged-users.ts';
import * as texts from './texts.ts';

export type PostContent = BodyOf<typeof createPost>;

/** Throws VALIDATION for a combination that no post may have. */
export function toPostType(kinds: readonly MediaKind[]): PostType {
  const [first] = kinds;
  if (first === undefined) throw createFieldError('media', texts.addAtLeastOneFile);
  if (kinds.every((kind) => kind === 'picture')) return kinds.length > 1 ? 'pictureSet' : 'picture';
  if (kinds.length === 1) return first;
  throw createFieldError('media', texts.mixedMediaError);
}

/** Throws VALIDATION if a file occurs twice. */
export function requireUniqueMedia(media: readonly { id: string }[]): void {
  if (new Set(media.map(({ id }) => id)).size < media.length) throw createFieldError('media', texts.duplicateFileError);
}

/** Throws VALIDATION for a price outside the current limits, NOT_VERIFIED if the creator may not sell. */
export async function requireAllowedPrice(
  ctx: Context,
  db: Executor,
  creatorId: string,
  priceCents: number,
): Promise<void> {
  if (isFree(priceCents)) return;
  await requirePriceInLimits(db, 'post', priceCents);
  await requireSellerEligible(ctx, db, creatorId, { subject: texts.paidPosts, field: 'price' });
}

/**
 * Free posts are public, so they also need a verified creator unless the operator allows others. Throws VALIDATION for a
 * price outside the current limits, NOT_VERIFIED.
 */
export async function requirePublishable(
  ctx: Context,
  db: Executor,
  creatorId: string,
  priceCents: number,
): Promise<void> {
  if (isFree(priceCents) && !ctx.config.hasUnverifiedPosts)
    await requireSellerEligible(ctx, db, creatorId, { subject: texts.posts });
  await requireAllowedPrice(ctx, db, creatorId, priceCents);
}

/** Throws VALIDATION, NOT_FOUND (media of another user), CONFLICT (media in use or not ready), NOT_VERIFIED. */
export async function publishContent(
  ctx: Context,
  tx: DbTransaction,
  id: string,
  creator: { userId: string; username: string },
  content: PostContent,
): Promise<void> {
  const { caption, media, people } = content;
  requireUniqueMedia(media);
  const priceCents = toCents(content.price);
  await requirePublishable(ctx, tx, creator.userId, priceCents);
  const createdAt = ctx.clock.now();
  const ids = media.map((medium) => medium.id);
  await requireTaggable(tx, creator.userId, people);
  const type = toPostType(await claimMedia(ctx, tx, creator.userId, ids, isFree(priceCents)));
  // Locks the creator's row, which publishing does after the media.
  const details = await resolveDetails(tx, creator.userId, toPostDetails(content), priceCents);
  await insertPost(tx, { id, creatorId: creator.userId, type, caption, priceCents, media, details, people, createdAt });
  await tx.emit('post.published', {
    postId: id,
    creatorId: creator.userId,
    username: creator.username,
    type,
    createdAt: createdAt.toISOString(),
    priceCents,
  });
}

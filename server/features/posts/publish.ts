import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { toCents } from '@stagedoor/contract/atoms/money.ts';
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { createPost, PostType } from '@stagedoor/contract/posts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { isFree } from '../entitlements/index.ts';
import { claimMedia, type MediaKind } from '../media/index.ts';
import { requireOpenDoor, requirePriceWithin } from '../sales/index.ts';
import './events.ts';
import { requirePeople } from './people.ts';
import { insertPost } from './store.ts';

export type PostContent = BodyOf<typeof createPost>;

/** Throws VALIDATION for a combination that no post may have. */
export function typeOf(kinds: readonly MediaKind[]): PostType {
  const [first] = kinds;
  if (first === undefined) throw invalid('media', 'Add at least one file');
  if (kinds.every((kind) => kind === 'picture')) return kinds.length > 1 ? 'pictureSet' : 'picture';
  if (kinds.length === 1) return first;
  throw invalid('media', 'A post can have photos, one video or one audio file.');
}

/** Throws VALIDATION if a file occurs twice. */
export function requireOnce(media: readonly { id: string }[]): void {
  if (new Set(media.map(({ id }) => id)).size < media.length) throw invalid('media', 'You added the same file twice.');
}

/** Throws VALIDATION for a price outside the current limits, NOT_VERIFIED if the creator may not sell. */
export async function requireMayAsk(ctx: Context, db: Executor, creatorId: string, priceCents: number): Promise<void> {
  if (isFree(priceCents)) return;
  await requirePriceWithin(db, 'post', priceCents);
  await requireOpenDoor(ctx, db, creatorId, { what: 'Paid posts', field: 'price' });
}

/** Throws VALIDATION, NOT_FOUND (media of another user), CONFLICT (media in use or not ready), NOT_VERIFIED. */
export async function publishContent(
  ctx: Context,
  tx: Transaction,
  id: string,
  creator: { userId: string; username: string },
  content: PostContent,
): Promise<void> {
  const { caption, media, people } = content;
  requireOnce(media);
  const priceCents = toCents(content.price);
  await requireMayAsk(ctx, tx, creator.userId, priceCents);
  const createdAt = ctx.clock.now();
  const ids = media.map((medium) => medium.id);
  await requirePeople(tx, creator.userId, people);
  const type = typeOf(await claimMedia(ctx, tx, creator.userId, ids, isFree(priceCents)));
  const tags = [...new Set(content.tags)];
  await insertPost(tx, { id, creatorId: creator.userId, type, caption, priceCents, media, tags, people, createdAt });
  await tx.emit('post.published', {
    postId: id,
    creatorId: creator.userId,
    username: creator.username,
    type,
    createdAt: createdAt.toISOString(),
    priceCents,
  });
}

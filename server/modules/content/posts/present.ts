import type { OwnPost, Post, TaggedUser } from '@stagedoor/contract/content/posts.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { TITLE_LENGTH } from '@stagedoor/contract/shared/limits.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import { toAvatarUrl } from '../../identity/accounts/index.ts';
import { presentPostMedia } from '../media/index.ts';
import type { PostRow, TaggedUserRow } from './hydrate.ts';
import type { OwnPostRow } from './store.ts';

/** The path is in an array, as the specification requires (row C3). */
export function toPostUri(id: string): string[] {
  return [postPath(id)];
}

export function toPostTitle(caption: string): string {
  const line =
    caption
      .split(/\r\n|\r|\n/)
      .find((candidate) => candidate.trim() !== '')
      ?.trim() ?? '';
  if (line.length <= TITLE_LENGTH) return line;
  const characters = Array.from(line);
  if (characters.length <= TITLE_LENGTH) return line;
  return `${characters
    .slice(0, TITLE_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}

export function presentTaggedUser({ id, username, name, avatar_key }: TaggedUserRow): TaggedUser {
  return { id, username, name, avatarUrl: toAvatarUrl(avatar_key) };
}

type ViewerFields = 'isUnlocked' | 'isPurchased' | 'isSubscribed' | 'paid' | 'isLiked' | 'likeCount';

export function presentViewerFields(
  row: Pick<PostRow, 'entitlement' | 'bought_cents' | 'is_liked' | 'like_count'>,
): Pick<Post, ViewerFields> {
  return {
    isUnlocked: row.entitlement !== null,
    isPurchased: row.entitlement === 'purchase',
    isSubscribed: row.entitlement === 'subscription',
    paid: row.bought_cents === null ? null : toUsd(row.bought_cents),
    isLiked: row.is_liked,
    likeCount: row.like_count,
  };
}

export function presentOpeningTier(tier: PostRow['opening_tier']): Post['subscription'] {
  if (tier === null) return null;
  const { tierId, name, priceCents, recurrence } = tier;
  return { tierId, name, price: toUsd(asCents(priceCents)), recurrence };
}

/** These fields are the same for all viewers with access, and for all viewers without. */
export function presentSharedFields(row: PostRow, isUnlocked: boolean): Omit<Post, ViewerFields> {
  return {
    id: row.id,
    postUri: toPostUri(row.id),
    createdAt: row.created_at.toISOString(),
    type: row.type,
    title: toPostTitle(row.caption),
    caption: row.caption,
    price: toUsd(row.price_cents),
    filesRevision: row.files_revision,
    mediaCount: row.media_count,
    author: {
      id: row.creator_id,
      username: row.username,
      name: row.name,
      avatarUrl: toAvatarUrl(row.avatar_key),
      craft: row.craft,
      city: row.city,
      isVerified: row.is_verified,
    },
    media: row.media.map((media) => presentPostMedia(media, media.alt, isUnlocked)),
    ...row.details,
    subscription: isUnlocked ? null : presentOpeningTier(row.opening_tier),
    people: row.people.map(presentTaggedUser),
    isPinned: row.pin_place !== null,
  };
}

/** The row must have been read for the viewer. */
export function presentPost(row: PostRow): Post {
  const viewerFields = presentViewerFields(row);
  return { ...presentSharedFields(row, viewerFields.isUnlocked), ...viewerFields };
}

export function presentOwnPost(row: OwnPostRow): OwnPost {
  const isPublished = row.removed_at === null;
  return {
    post: presentPost(row),
    status: isPublished ? 'published' : 'removed',
    unlockCount: row.unlock_count,
    earned: toUsd(row.earned_cents),
    isEditable: isPublished,
    pinPosition: row.pin_place,
  };
}

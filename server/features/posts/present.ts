import { postPath } from '@stagedoor/contract/addresses.ts';
import { TITLE_LENGTH } from '@stagedoor/contract/atoms/limits.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { OwnPost, Person, Post } from '@stagedoor/contract/posts.ts';
import { avatarUrl } from '../accounts/index.ts';
import { presentPostMedia } from '../media/index.ts';
import type { PersonFacts, PostRow } from './hydrate.ts';
import type { OwnRow } from './store.ts';

/** The path is in an array, as the specification requires (row C3). */
export function postUri(id: string): string[] {
  return [postPath(id)];
}

export function titleOf(caption: string): string {
  const line =
    caption
      .split(/\r\n|\r|\n/)
      .find((candidate) => candidate.trim() !== '')
      ?.trim() ?? '';
  if (line.length <= TITLE_LENGTH) return line;
  const letters = Array.from(line);
  if (letters.length <= TITLE_LENGTH) return line;
  return `${letters
    .slice(0, TITLE_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}

export function presentPerson({ id, username, name, avatar_key }: PersonFacts): Person {
  return { id, username, name, avatarUrl: avatarUrl(avatar_key) };
}

type OfViewer = 'isUnlocked' | 'isPurchased' | 'paid' | 'isLiked' | 'likeCount';

export function presentOfViewer(
  row: Pick<PostRow, 'entitlement' | 'bought_cents' | 'is_liked' | 'like_count'>,
): Pick<Post, OfViewer> {
  return {
    isUnlocked: row.entitlement !== null,
    isPurchased: row.entitlement === 'purchase',
    paid: row.bought_cents === null ? null : toUsd(row.bought_cents),
    isLiked: row.is_liked,
    likeCount: row.like_count,
  };
}

/** These fields are the same for all viewers with access, and for all viewers without. */
export function presentShared(row: PostRow, isUnlocked: boolean): Omit<Post, OfViewer> {
  return {
    id: row.id,
    postUri: postUri(row.id),
    createdAt: row.created_at.toISOString(),
    type: row.type,
    title: titleOf(row.caption),
    caption: row.caption,
    price: toUsd(row.price_cents),
    filesRevision: row.files_revision,
    mediaCount: row.media_count,
    author: {
      id: row.creator_id,
      username: row.username,
      name: row.name,
      avatarUrl: avatarUrl(row.avatar_key),
      craft: row.craft,
      city: row.city,
      isVerified: row.is_verified,
    },
    media: row.media.map((media) => presentPostMedia(media, media.alt, isUnlocked)),
    tags: row.tags,
    people: row.people.map(presentPerson),
    isPinned: row.pin_place !== null,
  };
}

/** The row must have been read for the viewer. */
export function presentPost(row: PostRow): Post {
  const ofViewer = presentOfViewer(row);
  return { ...presentShared(row, ofViewer.isUnlocked), ...ofViewer };
}

export function presentOwnPost(row: OwnRow): OwnPost {
  const isPublished = row.removed_at === null;
  return {
    post: presentPost(row),
    status: isPublished ? 'published' : 'removed',
    unlockCount: row.unlock_count,
    earned: toUsd(row.earned_cents),
    isEditable: isPublished,
    pinPlace: row.pin_place,
  };
}

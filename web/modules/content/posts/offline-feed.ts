/**
 * The feed stored for offline reading: authors, captions and the thumbhash of the first picture, without prices and
 * file URLs.
 */

import { getFeed } from '@stagedoor/contract/content/feed.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { formatCount, formatDuration } from '../../../platform/dates.ts';
import { routeKey } from '../../../platform/query.ts';
import type { SeenPost } from '../../../workers/shared.ts';
import * as texts from './texts.ts';

const CAPTION_LENGTH = 400;

function summarizeMedia({ media, mediaCount, isUnlocked }: Post): string {
  const [first] = media;
  const lock = isUnlocked ? '' : texts.lockedMark;
  if (first?.kind === 'video' || first?.kind === 'audio') {
    const length = first.durationSeconds === null ? '' : `, ${formatDuration(first.durationSeconds)}`;
    return `${first.kind === 'video' ? texts.video : texts.audio}${length}${lock}`;
  }
  return `${formatCount(mediaCount, 'photo')}${lock}`;
}

function toSeenPost(post: Post): SeenPost {
  const [first] = post.media;
  const picture = first && (first.isLocked ? first.preview : first.picture);
  return {
    author: post.author.name,
    at: post.createdAt,
    text: post.caption.slice(0, CAPTION_LENGTH),
    summary: summarizeMedia(post),
    hash: picture?.thumbhash ?? null,
    ratio: picture && picture.height > 0 ? picture.width / picture.height : 1,
  };
}

export function findSeenFeed(client: QueryClient): SeenPost[] | null {
  const cachedQueries = client.getQueriesData<InfiniteData<ResponseOf<typeof getFeed>>>({
    queryKey: [...routeKey(getFeed), {}, { type: 'all' }],
  });
  const pages = cachedQueries[0]?.[1]?.pages;
  return pages ? pages.flatMap(({ data }) => data.map(toSeenPost)) : null;
}

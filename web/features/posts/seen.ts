/**
 * The feed stored for offline reading: authors, captions and the thumbhash of the first picture, without prices and
 * file URLs.
 */
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { feed } from '@stagedoor/contract/feed.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { formatDuration, plural } from '../../kernel/dates.ts';
import { routeKey } from '../../kernel/query.ts';
import type { SeenPost } from '../../workers/shared.ts';

const WORDS = 400;

function whatOf({ media, mediaCount, isUnlocked }: Post): string {
  const [first] = media;
  const lock = isUnlocked ? '' : ', locked';
  if (first?.kind === 'video' || first?.kind === 'audio') {
    const length = first.durationSeconds === null ? '' : `, ${formatDuration(first.durationSeconds)}`;
    return `${first.kind === 'video' ? 'Video' : 'Audio'}${length}${lock}`;
  }
  return `${plural(mediaCount, 'photo')}${lock}`;
}

function seenOf(post: Post): SeenPost {
  const [first] = post.media;
  const picture = first && (first.isLocked ? first.preview : first.picture);
  return {
    by: post.author.name,
    at: post.createdAt,
    words: post.caption.slice(0, WORDS),
    what: whatOf(post),
    hash: picture?.thumbhash ?? null,
    ratio: picture && picture.height > 0 ? picture.width / picture.height : 1,
  };
}

export function seenFeed(client: QueryClient): SeenPost[] | null {
  const opened = client.getQueriesData<InfiniteData<ResponseOf<typeof feed>>>({
    queryKey: [...routeKey(feed), {}, { type: 'all' }],
  });
  const pages = opened[0]?.[1]?.pages;
  return pages ? pages.flatMap(({ data }) => data.map(seenOf)) : null;
}

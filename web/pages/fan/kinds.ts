/** The kinds of media that lists of posts are filtered by: their words, and which one an address asks for. */
import { FEED_KINDS } from '@stagedoor/contract/posts.ts';
import type { FeedKind } from '../../features/posts/feed-query.ts';
import { oneOf } from '../../kernel/address.ts';

export const KIND_WORDS: Readonly<Record<FeedKind, string>> = {
  all: 'All',
  picture: 'Photos',
  pictureSet: 'Sets',
  video: 'Videos',
  audio: 'Audio',
};

export function kindOf(search: URLSearchParams): FeedKind {
  return oneOf(FEED_KINDS, search.get('type')) ?? 'all';
}

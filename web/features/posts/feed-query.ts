import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import { feed } from '@stagedoor/contract/feed.ts';
import {
  FEED_KINDS,
  getPost,
  type Post,
  postUnlocked,
  publicPostFeed,
  publicPostRemoved,
} from '@stagedoor/contract/posts.ts';
import { getProfileFollow } from '@stagedoor/contract/profiles.ts';
import type { QueryClient } from '@tanstack/react-query';
import { useLive } from '../../kernel/live.ts';
import { apiInfiniteQuery, apiQuery } from '../../kernel/query.ts';
import { changePost } from './cache.ts';
import { insertInto, isOfKind, removeFrom } from './feed-live.ts';
import { isWellFormed } from './live.ts';

export type FeedKind = (typeof FEED_KINDS)[number];

/**
 * Cached this long so that users return to the same scroll position. On the server a cache lives only for one request.
 */
const KEPT_MS = 30 * 60_000;

export const feedQuery = (kind: FeedKind) => ({
  ...apiInfiniteQuery(feed, { query: { type: kind } }),
  ...(typeof window !== 'undefined' && { gcTime: KEPT_MS }),
});

/** A creator with a post in a fresh cached feed is followed. For others the server is queried. */
export async function isFollowed(client: QueryClient, creatorId: string): Promise<boolean> {
  // Follow changes invalidate the feeds. An inactive one is not refetched immediately, so it may not be trusted.
  const kept = FEED_KINDS.flatMap((kind) => {
    const { data, isInvalidated } = client.getQueryState(feedQuery(kind).queryKey) ?? {};
    return (!isInvalidated && data?.pages) || [];
  });
  if (kept.some((page) => page.data.some(({ author }) => author.id === creatorId))) return true;
  return (await client.fetchQuery(apiQuery(getProfileFollow, { params: { id: creatorId } }))).isFollowed;
}

const askAgain = (client: QueryClient, id: string) =>
  client.fetchQuery({ ...apiQuery(getPost, { params: { id } }), staleTime: 0 });

async function receive(client: QueryClient, event: PayloadOf<typeof publicPostFeed>): Promise<Post | undefined> {
  if (!(await isFollowed(client, event.creatorId))) return undefined;
  const post = await askAgain(client, event.id);
  for (const kind of FEED_KINDS) {
    if (!isOfKind(post, kind)) continue;
    client.setQueryData(
      feedQuery(kind).queryKey,
      (kept) => kept && { ...kept, pages: insertInto(kept.pages, post, kept.pages.at(-1)?.nextOffset !== undefined) },
    );
  }
  return post;
}

/**
 * Adds, removes and unlocks posts by live events while the feed is shown. `onNew` is called for a new post of this
 * type. A post that cannot be loaded appears with the next refetch.
 */
export function useLiveFeed(kind: FeedKind, onNew: (post: Post) => void): void {
  useLive(publicPostFeed, (client, event) => {
    const bring = async () => {
      const post = await receive(client, event);
      if (post && isOfKind(post, kind)) onNew(post);
    };
    if (isWellFormed(event)) void bring().catch(() => undefined);
  });
  useLive(publicPostRemoved, (client, { postId }) => {
    for (const kind of FEED_KINDS)
      client.setQueryData(
        feedQuery(kind).queryKey,
        (kept) => kept && { ...kept, pages: removeFrom(kept.pages, postId) },
      );
  });
  useLive(postUnlocked, (client, { postId }) => {
    const open = async () => {
      const post = await askAgain(client, postId);
      changePost(client, postId, () => post);
    };
    void open().catch(() => undefined);
  });
}

/** The feed as kept, one list for each kind of media, and what live events do to it. */

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

/** As long as it is kept, one comes back to the place where one was. On the server a cache lives for one request anyway. */
const KEPT_MS = 30 * 60_000;

export const feedQuery = (kind: FeedKind) => ({
  ...apiInfiniteQuery(feed, { query: { type: kind } }),
  ...(typeof window !== 'undefined' && { gcTime: KEPT_MS }),
});

/** Whoever has a post in a feed that still holds is followed; of anybody else the server knows. */
export async function isFollowed(client: QueryClient, creatorId: string): Promise<boolean> {
  // A follow or unfollow is what makes kept feeds hold no longer; those that are not shown are not asked for again at once.
  const kept = FEED_KINDS.flatMap((kind) => {
    const { data, isInvalidated } = client.getQueryState(feedQuery(kind).queryKey) ?? {};
    return (!isInvalidated && data?.pages) || [];
  });
  if (kept.some((page) => page.data.some(({ author }) => author.id === creatorId))) return true;
  return (await client.fetchQuery(apiQuery(getProfileFollow, { params: { id: creatorId } }))).isFollowed;
}

/** A post as it is now, whatever is kept of it. */
const askAgain = (client: QueryClient, id: string) =>
  client.fetchQuery({ ...apiQuery(getPost, { params: { id } }), staleTime: 0 });

/** Brings a new post into the lists it belongs to. Answers it, if it belongs to any. */
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
 * While a feed of that kind is shown: posts come, go, and open by themselves. `onNew` is told when one has come into it.
 * What cannot be asked for is there after the next refetch.
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

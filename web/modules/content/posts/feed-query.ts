import { getFeed } from '@stagedoor/contract/content/feed.ts';
import {
  FEED_KINDS,
  getPost,
  type Post,
  postUnlocked,
  publicPostFeed,
  publicPostRemoved,
} from '@stagedoor/contract/content/posts.ts';
import { getProfileFollow } from '@stagedoor/contract/content/profiles.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { apiInfiniteQuery, apiQuery } from '../../../platform/query.ts';
import { useSocketEvent } from '../../../platform/socket-events.ts';
import { updateCachedPost } from './cache.ts';
import { isWellFormed } from './post-list.ts';
import { insertPostIntoPages, isOfType, removePostFromPages } from './post-pages.ts';

export type FeedKind = (typeof FEED_KINDS)[number];

/**
 * Cached this long so that users return to the same scroll position. On the server a cache lives only for one request.
 */
const CACHE_TTL_MS = 30 * 60_000;

export const feedQuery = (kind: FeedKind) => ({
  ...apiInfiniteQuery(getFeed, { query: { type: kind } }),
  ...(typeof window !== 'undefined' && { gcTime: CACHE_TTL_MS }),
});

/** A creator with a post in a fresh cached feed is followed. For others the server is queried. */
export async function isFollowed(client: QueryClient, creatorId: string): Promise<boolean> {
  // Follow changes invalidate the feeds. An inactive one is not refetched immediately, so it may not be trusted.
  const cachedPages = FEED_KINDS.flatMap((kind) => {
    const { data, isInvalidated } = client.getQueryState(feedQuery(kind).queryKey) ?? {};
    return (!isInvalidated && data?.pages) || [];
  });
  if (cachedPages.some((page) => page.data.some(({ author }) => author.id === creatorId))) return true;
  return (await client.fetchQuery(apiQuery(getProfileFollow, { params: { id: creatorId } }))).isFollowed;
}

const refetchPost = (client: QueryClient, id: string) =>
  client.fetchQuery({ ...apiQuery(getPost, { params: { id } }), staleTime: 0 });

async function addLivePost(client: QueryClient, event: PayloadOf<typeof publicPostFeed>): Promise<Post | undefined> {
  if (!(await isFollowed(client, event.creatorId))) return undefined;
  const post = await refetchPost(client, event.id);
  for (const kind of FEED_KINDS) {
    if (!isOfType(post, kind)) continue;
    client.setQueryData(
      feedQuery(kind).queryKey,
      (cached) =>
        cached && {
          ...cached,
          pages: insertPostIntoPages(cached.pages, post, cached.pages.at(-1)?.nextOffset !== undefined),
        },
    );
  }
  return post;
}

/** Calls `onNew` when a refetch brings a post newer than all before, such as one of the time before the connection. */
function useRefetchedPost(kind: FeedKind, onNew: (post: Post) => void): void {
  const handleNewest = useEffectEvent((newest: Post) => {
    const before = known.current;
    known.current = { kind, createdAt: newest.createdAt };
    if (before?.kind === kind && newest.createdAt > before.createdAt) onNew(newest);
  });
  const known = useRef<{ kind: FeedKind; createdAt: string }>(undefined);
  const { data: newest } = useInfiniteQuery({
    ...feedQuery(kind),
    enabled: false,
    select: ({ pages }) => pages[0]?.data[0],
  });
  useEffect(() => {
    if (newest) handleNewest(newest);
  }, [newest]);
}

/**
 * Adds, removes and unlocks posts by live events while the feed is shown. `onNew` is called for a new post of this
 * type. A post that cannot be loaded appears with the next refetch.
 */
export function useLiveFeed(kind: FeedKind, onNew: (post: Post) => void): void {
  useRefetchedPost(kind, onNew);
  useSocketEvent(publicPostFeed, (client, event) => {
    const handleNewPost = async () => {
      const post = await addLivePost(client, event);
      if (post && isOfType(post, kind)) onNew(post);
    };
    if (isWellFormed(event)) void handleNewPost().catch(() => undefined);
  });
  useSocketEvent(publicPostRemoved, (client, { postId }) => {
    for (const kind of FEED_KINDS)
      client.setQueryData(
        feedQuery(kind).queryKey,
        (cached) => cached && { ...cached, pages: removePostFromPages(cached.pages, postId) },
      );
  });
  useSocketEvent(postUnlocked, (client, { postId }) => {
    const handleUnlock = async () => {
      const post = await refetchPost(client, postId);
      updateCachedPost(client, postId, () => post);
    };
    void handleUnlock().catch(() => undefined);
  });
}

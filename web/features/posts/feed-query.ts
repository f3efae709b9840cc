/** The feed as kept, one list for each kind of media, and what live events do to it. */

import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import { FEED_KINDS, feed, getPost, publicPostFeed, publicPostRemoved } from '@stagedoor/contract/posts.ts';
import { getProfileFollow } from '@stagedoor/contract/profiles.ts';
import { postUnlocked } from '@stagedoor/contract/wallet.ts';
import type { QueryClient } from '@tanstack/react-query';
import { useLive } from '../../kernel/live.ts';
import { apiInfiniteQuery, apiQuery } from '../../kernel/query.ts';
import { changePost } from './cache.ts';
import { insertInto, isOfKind, removeFrom } from './feed-live.ts';
import { isWellFormed } from './live.ts';

export type FeedKind = (typeof FEED_KINDS)[number];

export const feedQuery = (kind: FeedKind) => apiInfiniteQuery(feed, { query: { type: kind } });

/** Whoever has a post in the feed is followed; of anybody else the server knows. */
async function isFollowed(client: QueryClient, creatorId: string): Promise<boolean> {
  const kept = FEED_KINDS.flatMap((kind) => client.getQueryData(feedQuery(kind).queryKey)?.pages ?? []);
  if (kept.some((page) => page.data.some(({ author }) => author.id === creatorId))) return true;
  return (await client.fetchQuery(apiQuery(getProfileFollow, { params: { id: creatorId } }))).isFollowed;
}

/** A post as it is now, whatever is kept of it. */
const askAgain = (client: QueryClient, id: string) =>
  client.fetchQuery({ ...apiQuery(getPost, { params: { id } }), staleTime: 0 });

async function receive(client: QueryClient, event: PayloadOf<typeof publicPostFeed>): Promise<void> {
  if (!(await isFollowed(client, event.creatorId))) return;
  const post = await askAgain(client, event.id);
  for (const kind of FEED_KINDS) {
    if (!isOfKind(post, kind)) continue;
    client.setQueryData(
      feedQuery(kind).queryKey,
      (kept) => kept && { ...kept, pages: insertInto(kept.pages, post, kept.pages.at(-1)?.nextOffset !== undefined) },
    );
  }
}

/** While the feed is shown: posts come, go, and open by themselves. What cannot be asked for is there after the next refetch. */
export function useLiveFeed(): void {
  useLive(publicPostFeed, (client, event) => {
    if (isWellFormed(event)) void receive(client, event).catch(() => undefined);
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

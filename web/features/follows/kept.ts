import { getProfile, listCreators, listFollowing } from '@stagedoor/contract/profiles.ts';
import type { QueryClient } from '@tanstack/react-query';
import { routeKey } from '../../kernel/query.ts';

type Followed = { id: string; isFollowed: boolean; followerCount: number; totalFollowersCount?: number };
type Page = { data: readonly Followed[] };
export type Kept = Followed | Page | { pages: readonly Page[] };

function followed(creator: Followed, id: string, isFollowed: boolean, told: number | undefined): Followed {
  if (creator.id !== id) return creator;
  const by = Number(isFollowed) - Number(creator.isFollowed);
  const { followerCount, totalFollowersCount } = creator;
  return {
    ...creator,
    isFollowed,
    followerCount: told ?? followerCount + by,
    ...(totalFollowersCount !== undefined && { totalFollowersCount: told ?? totalFollowersCount + by }),
  };
}

/**
 * Returns the cached data after `id` was followed or unfollowed.
 * @param told The follower count from the server.
 */
export function withFollow(kept: Kept, id: string, isFollowed: boolean, told?: number): Kept {
  const each = (creator: Followed) => followed(creator, id, isFollowed, told);
  const page = <P extends Page>(one: P) => ({ ...one, data: one.data.map(each) });
  if ('pages' in kept) return { ...kept, pages: kept.pages.map(page) };
  return 'data' in kept ? page(kept) : each(kept);
}

export function keepFollow(client: QueryClient, id: string, isFollowed: boolean, told?: number): void {
  for (const route of [getProfile, listCreators, listFollowing])
    client.setQueriesData<Kept>(
      { queryKey: routeKey(route) },
      (kept) => kept && withFollow(kept, id, isFollowed, told),
    );
}

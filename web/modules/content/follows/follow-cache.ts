import { getProfile, listCreators, listFollowing } from '@stagedoor/contract/content/profiles.ts';
import type { QueryClient } from '@tanstack/react-query';
import { routeKey } from '../../../platform/query.ts';

type FollowedCreator = { id: string; isFollowed: boolean; followerCount: number; totalFollowersCount?: number };
type FollowPage = { data: readonly FollowedCreator[] };
export type FollowCache = FollowedCreator | FollowPage | { pages: readonly FollowPage[] };

function updateCreator(
  creator: FollowedCreator,
  id: string,
  isFollowed: boolean,
  serverCount: number | undefined,
): FollowedCreator {
  if (creator.id !== id) return creator;
  const difference = Number(isFollowed) - Number(creator.isFollowed);
  const { followerCount, totalFollowersCount } = creator;
  return {
    ...creator,
    isFollowed,
    followerCount: serverCount ?? followerCount + difference,
    ...(totalFollowersCount !== undefined && { totalFollowersCount: serverCount ?? totalFollowersCount + difference }),
  };
}

/**
 * Returns the cached data after `id` was followed or unfollowed.
 * @param serverCount The follower count from the server.
 */
export function applyFollow(cached: FollowCache, id: string, isFollowed: boolean, serverCount?: number): FollowCache {
  const update = (creator: FollowedCreator) => updateCreator(creator, id, isFollowed, serverCount);
  const updatePage = <P extends FollowPage>(one: P) => ({ ...one, data: one.data.map(update) });
  if ('pages' in cached) return { ...cached, pages: cached.pages.map(updatePage) };
  return 'data' in cached ? updatePage(cached) : update(cached);
}

export function cacheFollow(client: QueryClient, id: string, isFollowed: boolean, serverCount?: number): void {
  for (const route of [getProfile, listCreators, listFollowing])
    client.setQueriesData<FollowCache>(
      { queryKey: routeKey(route) },
      (cached) => cached && applyFollow(cached, id, isFollowed, serverCount),
    );
}

/** Kept answers about creators: what following one does to them, at once, wherever that creator is shown. */
import { getProfile, listCreators, listFollowing } from '@stagedoor/contract/profiles.ts';
import type { QueryClient } from '@tanstack/react-query';
import { routeKey } from '../../kernel/query.ts';

type Followed = { id: string; isFollowed: boolean; followerCount: number; totalFollowersCount?: number };
type Page = { data: readonly Followed[] };
/** A creator, or a list of them in whatever form it is kept. */
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

/** What is kept, as it is once `id` is followed or not; `told` is how many follow as the server counts them. */
export function withFollow(kept: Kept, id: string, isFollowed: boolean, told?: number): Kept {
  const each = (creator: Followed) => followed(creator, id, isFollowed, told);
  const page = <P extends Page>(one: P) => ({ ...one, data: one.data.map(each) });
  if ('pages' in kept) return { ...kept, pages: kept.pages.map(page) };
  return 'data' in kept ? page(kept) : each(kept);
}

/** Shows everywhere that `id` is followed, or is not. */
export function keepFollow(client: QueryClient, id: string, isFollowed: boolean, told?: number): void {
  for (const route of [getProfile, listCreators, listFollowing])
    client.setQueriesData<Kept>(
      { queryKey: routeKey(route) },
      (kept) => kept && withFollow(kept, id, isFollowed, told),
    );
}

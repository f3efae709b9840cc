import { feed } from '@stagedoor/contract/feed.ts';
import { follow } from '@stagedoor/contract/follows.ts';
import {
  type CreatorCard,
  FOLLOW_SORTS,
  FOLLOW_STATUSES,
  followingCounts,
  listFollowing,
} from '@stagedoor/contract/profiles.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { oneOf } from '../../kernel/address.ts';
import { isolated } from '../../kernel/bidi.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { apiInfiniteQuery, apiQuery, routeKey } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { CreatorRow, profileHref } from './creator-card.tsx';

const PAGE = 30;

export interface FollowingFilters {
  search: string;
  sort: (typeof FOLLOW_SORTS)[number];
  tab: (typeof FOLLOW_STATUSES)[number] | undefined;
}

export function followingFilters(search: URLSearchParams): FollowingFilters {
  return {
    search: (search.get('search') ?? '').slice(0, 100),
    sort: oneOf(FOLLOW_SORTS, search.get('sort')) ?? 'recent',
    tab: oneOf(FOLLOW_STATUSES, search.get('tab')),
  };
}

export const followingQuery = ({ search, sort, tab }: FollowingFilters) =>
  apiInfiniteQuery(listFollowing, {
    query: { sort, limit: PAGE, ...(search && { search }), ...(tab && { status: tab }) },
  });
export const countsQuery = () => apiQuery(followingCounts, {});

/** Marks the lists as stale without refetching, so that no row disappears under the user's finger. */
function forget(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: routeKey(listFollowing), refetchType: 'none' });
  for (const route of [followingCounts, feed]) void client.invalidateQueries({ queryKey: routeKey(route) });
}

function Unfollow({ creator }: { creator: CreatorCard }) {
  const client = useQueryClient();
  const [isFollowed, setIsFollowed] = useState(true);
  const change = useApiMutation(follow, {
    onSuccess: (answer) => {
      setIsFollowed(answer.isFollowed);
      forget(client);
      const undo = { label: 'Undo', onClick: () => send(true) };
      if (!answer.isFollowed)
        void showToast(`Unfollowed ${isolated(creator.name)}.`, 'info', {
          action: undo,
          id: `unfollow:${creator.id}`,
        });
    },
  });
  const send = (wish: boolean) => change.mutate({ params: { id: creator.id }, body: { isFollowed: wish } });
  return (
    <form
      method="post"
      action={profileHref(creator)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) send(!isFollowed);
      }}
    >
      <input type="hidden" name="creatorId" value={creator.id} />
      <input type="hidden" name="isFollowed" value={String(!isFollowed)} />
      <Button
        type="submit"
        className="follow"
        variant={isFollowed ? 'quiet' : 'line'}
        aria-label={`${isFollowed ? 'Unfollow' : 'Follow'} ${creator.name}`}
        aria-disabled={change.isPending || undefined}
      >
        {isFollowed ? 'Unfollow' : 'Follow'}
      </Button>
    </form>
  );
}

type Rows = {
  creators: readonly CreatorCard[];
  before?: (creator: CreatorCard) => ReactNode;
};

export function FollowingRows({ creators, before }: Rows) {
  return (
    <ul className="rows rows--closed" aria-label="Followed creators">
      {creators.map((creator) => (
        <li key={creator.id}>
          <CreatorRow
            creator={creator}
            end={
              <span className="relative z-1 flex items-center">
                {before?.(creator)}
                <Unfollow creator={creator} />
              </span>
            }
          />
        </li>
      ))}
    </ul>
  );
}

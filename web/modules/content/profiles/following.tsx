import { getFeed } from '@stagedoor/contract/content/feed.ts';
import { followCreator } from '@stagedoor/contract/content/follows.ts';
import {
  type CreatorCard,
  FOLLOW_SORTS,
  FOLLOW_STATUSES,
  getFollowingCounts,
  listFollowing,
} from '@stagedoor/contract/content/profiles.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { parseOption } from '../../../platform/address.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiInfiniteQuery, apiQuery, routeKey } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { CreatorListRow, toProfileHref } from './creator-card.tsx';
import * as texts from './texts.ts';

const PAGE_SIZE = 30;

export interface FollowingFilters {
  search: string;
  sort: (typeof FOLLOW_SORTS)[number];
  tab: (typeof FOLLOW_STATUSES)[number] | undefined;
}

export function parseFollowingFilters(search: URLSearchParams): FollowingFilters {
  return {
    search: (search.get('search') ?? '').slice(0, 100),
    sort: parseOption(FOLLOW_SORTS, search.get('sort')) ?? 'recent',
    tab: parseOption(FOLLOW_STATUSES, search.get('tab')),
  };
}

export const followingQuery = ({ search, sort, tab }: FollowingFilters) =>
  apiInfiniteQuery(listFollowing, {
    query: { sort, limit: PAGE_SIZE, ...(search && { search }), ...(tab && { status: tab }) },
  });
export const followingCountsQuery = () => apiQuery(getFollowingCounts, {});

/** Marks the lists as stale without refetching, so that no row disappears under the user's finger. */
function invalidateFollowing(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: routeKey(listFollowing), refetchType: 'none' });
  for (const route of [getFollowingCounts, getFeed]) void client.invalidateQueries({ queryKey: routeKey(route) });
}

function UnfollowButton({ creator }: { creator: CreatorCard }) {
  const client = useQueryClient();
  const [isFollowed, setIsFollowed] = useState(true);
  const change = useApiMutation(followCreator, {
    onSuccess: (response) => {
      setIsFollowed(response.isFollowed);
      invalidateFollowing(client);
      const undo = { label: texts.undo, onClick: () => send(true) };
      if (!response.isFollowed)
        void showToast(formatText(texts.unfollowedCreator, { name: isolateText(creator.name) }), 'info', {
          action: undo,
          id: `unfollow:${creator.id}`,
        });
    },
  });
  const send = (shouldFollow: boolean) =>
    change.mutate({ params: { id: creator.id }, body: { isFollowed: shouldFollow } });
  return (
    <form
      method="post"
      action={toProfileHref(creator)}
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
        aria-label={`${isFollowed ? texts.unfollow : texts.follow} ${creator.name}`}
        aria-disabled={change.isPending || undefined}
      >
        {isFollowed ? texts.unfollow : texts.follow}
      </Button>
    </form>
  );
}

type FollowingRowsProps = {
  creators: readonly CreatorCard[];
  renderActions?: (creator: CreatorCard) => ReactNode;
};

export function FollowingRows({ creators, renderActions }: FollowingRowsProps) {
  return (
    <ul className="rows rows--closed" aria-label={texts.followedCreators}>
      {creators.map((creator) => (
        <li key={creator.id}>
          <CreatorListRow
            creator={creator}
            end={
              <span className="relative z-1 flex items-center">
                {renderActions?.(creator)}
                <UnfollowButton creator={creator} />
              </span>
            }
          />
        </li>
      ))}
    </ul>
  );
}

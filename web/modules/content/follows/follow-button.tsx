import { getFeed } from '@stagedoor/contract/content/feed.ts';
import { followCreator } from '@stagedoor/contract/content/follows.ts';
import { getFollowingCounts, listFollowing } from '@stagedoor/contract/content/profiles.ts';
import { profilePath, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../../platform/mutation.ts';
import { routeKey } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { cacheFollow } from './follow-cache.ts';
import * as texts from './texts.ts';

const CHANGED_ROUTES = [listFollowing, getFollowingCounts, getFeed];

type FollowableCreator = { id: string; name: string; username: string; isFollowed: boolean };

export function FollowButton({ creator, isFirst = false }: { creator: FollowableCreator; isFirst?: boolean }) {
  const viewer = useViewer();
  if (!viewer) {
    return (
      <Button
        variant={isFirst ? 'primary' : 'line'}
        className="follow"
        href={signupGatePath('follow', profilePath(creator.username))}
        aria-label={formatText(texts.followCreator, { name: creator.name })}
      >
        {texts.followButton}
      </Button>
    );
  }
  return viewer.type === 'customer' ? <Toggle creator={creator} isFirst={isFirst} /> : null;
}

/** Ignores the second tap of a double tap. The button is disabled meanwhile. */
const DOUBLE_TAP_MS = 500;

/** The last press wins. While a request is running, a further press only changes the next request. */
function Toggle({ creator, isFirst }: { creator: FollowableCreator; isFirst: boolean }) {
  const [pendingFollow, setPendingFollow] = useState<boolean>();
  const client = useQueryClient();
  const [isLocked, setLocked] = useState(false);
  const nextPressAt = useRef(0);
  const latest = useRef(creator.isFollowed);
  const { mutateAsync, isPending } = useApiMutation(followCreator);
  const syncFollow = async (previous: boolean): Promise<void> => {
    try {
      for (;;) {
        const { isFollowed, totalFollowersCount } = await mutateAsync({
          params: { id: creator.id },
          body: { isFollowed: latest.current },
        });
        if (isFollowed !== latest.current) continue;
        cacheFollow(client, creator.id, isFollowed, totalFollowersCount);
        for (const route of CHANGED_ROUTES) void client.invalidateQueries({ queryKey: routeKey(route) });
        return;
      }
    } catch {
      setPendingFollow(undefined);
      cacheFollow(client, creator.id, previous);
    }
  };
  const isFollowed = pendingFollow ?? creator.isFollowed;
  const press = () => {
    latest.current = !isFollowed;
    setPendingFollow(!isFollowed);
    cacheFollow(client, creator.id, latest.current);
    if (!isPending) void syncFollow(isFollowed);
  };
  return (
    <form
      method="post"
      action={profilePath(creator.username)}
      onSubmit={(event) => {
        event.preventDefault();
        press();
      }}
    >
      <input type="hidden" name="creatorId" value={creator.id} />
      <input type="hidden" name="isFollowed" value={String(!isFollowed)} />
      <Button
        type="submit"
        variant={isFollowed ? 'quiet' : isFirst ? 'primary' : 'line'}
        className="follow"
        aria-pressed={isFollowed}
        onClick={(event) => {
          // Uses the time of the tap itself, because a busy page may handle it much later.
          if (event.timeStamp < nextPressAt.current) return event.preventDefault();
          nextPressAt.current = event.timeStamp + DOUBLE_TAP_MS;
          setLocked(true);
          setTimeout(() => setLocked(false), DOUBLE_TAP_MS);
        }}
        {...(isLocked && { 'aria-disabled': true, 'aria-busy': true })}
        aria-label={`${isFollowed ? texts.following : texts.followButton} ${creator.name}`}
      >
        {isFollowed ? texts.following : texts.followButton}
      </Button>
    </form>
  );
}

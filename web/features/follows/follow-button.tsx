import { doorPath, profilePath } from '@stagedoor/contract/addresses.ts';
import { feed } from '@stagedoor/contract/feed.ts';
import { follow } from '@stagedoor/contract/follows.ts';
import { followingCounts, listFollowing } from '@stagedoor/contract/profiles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../kernel/mutation.ts';
import { routeKey } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { keepFollow } from './kept.ts';

const CHANGED = [listFollowing, followingCounts, feed];

type Followable = { id: string; name: string; username: string; isFollowed: boolean };

export function FollowButton({ creator, isFirst = false }: { creator: Followable; isFirst?: boolean }) {
  const viewer = useViewer();
  if (!viewer) {
    return (
      <Button
        variant={isFirst ? 'primary' : 'line'}
        className="follow"
        href={doorPath('follow', profilePath(creator.username))}
        aria-label={`Follow ${creator.name}`}
      >
        Follow
      </Button>
    );
  }
  return viewer.type === 'customer' ? <Toggle creator={creator} isFirst={isFirst} /> : null;
}

/** Ignores the second tap of a double tap. The button is disabled meanwhile. */
const ONCE_MS = 500;

/** The last press wins. While a request is running, a further press only changes the next request. */
function Toggle({ creator, isFirst }: { creator: Followable; isFirst: boolean }) {
  const [wish, setWish] = useState<boolean>();
  const client = useQueryClient();
  const [isHeld, setHeld] = useState(false);
  const mayPressAt = useRef(0);
  const latest = useRef(creator.isFollowed);
  const { mutateAsync, isPending } = useApiMutation(follow);
  const settle = async (before: boolean): Promise<void> => {
    try {
      for (;;) {
        const { isFollowed, totalFollowersCount } = await mutateAsync({
          params: { id: creator.id },
          body: { isFollowed: latest.current },
        });
        if (isFollowed !== latest.current) continue;
        keepFollow(client, creator.id, isFollowed, totalFollowersCount);
        for (const route of CHANGED) void client.invalidateQueries({ queryKey: routeKey(route) });
        return;
      }
    } catch {
      setWish(undefined);
      keepFollow(client, creator.id, before);
    }
  };
  const isFollowed = wish ?? creator.isFollowed;
  const press = () => {
    latest.current = !isFollowed;
    setWish(!isFollowed);
    keepFollow(client, creator.id, latest.current);
    if (!isPending) void settle(isFollowed);
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
          if (event.timeStamp < mayPressAt.current) return event.preventDefault();
          mayPressAt.current = event.timeStamp + ONCE_MS;
          setHeld(true);
          setTimeout(() => setHeld(false), ONCE_MS);
        }}
        {...(isHeld && { 'aria-disabled': true, 'aria-busy': true })}
        aria-label={`${isFollowed ? 'Following' : 'Follow'} ${creator.name}`}
      >
        {isFollowed ? 'Following' : 'Follow'}
      </Button>
    </form>
  );
}

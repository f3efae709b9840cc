/** Changes without an event (likes, presence) appear when a page expires. */
import type { EventPayload, Events, EventType } from '../kernel/events.ts';
import type { Kept } from './kept.ts';
import { HOUSE_TAG, mediaTag, PEOPLE_TAG, personTag, postTag } from './tags.ts';

const NAME = 'pages.purge';

export function purgeOnEvents(events: Pick<Events, 'everywhere'>, kept: Pick<Kept, 'purge' | 'clear'>): void {
  const purge = <T extends EventType>(type: T, tags: (payload: EventPayload<T>) => readonly string[]) =>
    events.everywhere(type, NAME, ({ payload }) => kept.purge(tags(payload)), kept.clear);
  purge('post.published', ({ creatorId }) => [personTag(creatorId), PEOPLE_TAG]);
  purge('post.changed', ({ creatorId, postId }) => [personTag(creatorId), postTag(postId)]);
  purge('post.removed', ({ creatorId, postId }) => [personTag(creatorId), postTag(postId), PEOPLE_TAG]);
  purge('profile.changed', ({ creatorId }) => [personTag(creatorId), PEOPLE_TAG]);
  purge('theme.published', ({ creatorId }) => [personTag(creatorId)]);
  purge('account.blocked', ({ userId }) => [personTag(userId), PEOPLE_TAG]);
  purge('account.unblocked', ({ userId }) => [personTag(userId), PEOPLE_TAG]);
  purge('post.restored', ({ creatorId, postId }) => [personTag(creatorId), postTag(postId), PEOPLE_TAG]);
  purge('follow.changed', ({ creatorId }) => [personTag(creatorId)]);
  purge('call.termsChanged', ({ creatorId }) => [personTag(creatorId)]);
  purge('goal.changed', ({ creatorId }) => [personTag(creatorId)]);
  purge('house.changed', () => [HOUSE_TAG]);
  purge('prices.changed', () => [HOUSE_TAG]);
  purge('payouts.settingsChanged', () => [HOUSE_TAG]);
  purge('media.improved', ({ mediaId }) => [mediaTag(mediaId)]);
}

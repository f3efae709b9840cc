/**
 * Purges kept pages by the events that change them: whatever shows that creator, that post or that picture, and lists of
 * people where somebody may move up, appear or go. What no event tells (likes, presence, other nodes' events) ends with a
 * page's age.
 */
import type { Events } from '../kernel/events.ts';
import type { Kept } from './kept.ts';
import { mediaTag, PEOPLE_TAG, personTag, postTag } from './tags.ts';

const NAME = 'pages.purge';

export function purgeOnEvents(events: Pick<Events, 'on'>, kept: Pick<Kept, 'purge'>): void {
  events.on('post.published', NAME, ({ payload }) => kept.purge([personTag(payload.creatorId), PEOPLE_TAG]));
  events.on('post.changed', NAME, ({ payload }) => kept.purge([personTag(payload.creatorId), postTag(payload.postId)]));
  events.on('post.removed', NAME, ({ payload }) =>
    kept.purge([personTag(payload.creatorId), postTag(payload.postId), PEOPLE_TAG]),
  );
  events.on('profile.changed', NAME, ({ payload }) => kept.purge([personTag(payload.creatorId), PEOPLE_TAG]));
  events.on('account.blocked', NAME, ({ payload }) => kept.purge([personTag(payload.userId), PEOPLE_TAG]));
  events.on('follow.changed', NAME, ({ payload }) => kept.purge([personTag(payload.creatorId)]));
  events.on('media.improved', NAME, ({ payload }) => kept.purge([mediaTag(payload.mediaId)]));
}

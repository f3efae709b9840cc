/** Changes without an event (likes, presence) appear when a page expires. */
import type { EventPayload, EventType } from '../platform/events/event-types.ts';
import type { Events } from '../platform/events/events.ts';
import type { PageCache } from './page-cache.ts';
import { PLATFORM_TAG, toMediaTag, toPostTag, toUserTag, USERS_TAG } from './tags.ts';

const NAME = 'pages.purge';

export function registerCacheInvalidation(
  events: Pick<Events, 'addLocalHandler'>,
  pageCache: Pick<PageCache, 'purge' | 'clear'>,
): void {
  const purgeOn = <T extends EventType>(type: T, tags: (payload: EventPayload<T>) => readonly string[]) =>
    events.addLocalHandler(type, NAME, ({ payload }) => pageCache.purge(tags(payload)), pageCache.clear);
  purgeOn('post.published', ({ creatorId }) => [toUserTag(creatorId), USERS_TAG]);
  purgeOn('post.changed', ({ creatorId, postId }) => [toUserTag(creatorId), toPostTag(postId)]);
  purgeOn('post.audienceChanged', ({ creatorId, postIds }) => [toUserTag(creatorId), ...postIds.map(toPostTag)]);
  purgeOn('post.removed', ({ creatorId, postId }) => [toUserTag(creatorId), toPostTag(postId), USERS_TAG]);
  purgeOn('profile.changed', ({ creatorId }) => [toUserTag(creatorId), USERS_TAG]);
  purgeOn('theme.published', ({ creatorId }) => [toUserTag(creatorId)]);
  purgeOn('account.blocked', ({ userId }) => [toUserTag(userId), USERS_TAG]);
  purgeOn('account.unblocked', ({ userId }) => [toUserTag(userId), USERS_TAG]);
  purgeOn('post.restored', ({ creatorId, postId }) => [toUserTag(creatorId), toPostTag(postId), USERS_TAG]);
  purgeOn('follow.changed', ({ creatorId }) => [toUserTag(creatorId)]);
  purgeOn('call.settingsChanged', ({ creatorId }) => [toUserTag(creatorId)]);
  purgeOn('goal.changed', ({ creatorId }) => [toUserTag(creatorId)]);
  purgeOn('subscriptionTiers.changed', ({ creatorId }) => [toUserTag(creatorId), USERS_TAG]);
  purgeOn('companyDetails.changed', () => [PLATFORM_TAG]);
  purgeOn('fees.changed', () => [PLATFORM_TAG]);
  purgeOn('prices.changed', () => [PLATFORM_TAG]);
  purgeOn('payouts.settingsChanged', () => [PLATFORM_TAG]);
  purgeOn('subscriptions.settingsChanged', () => [PLATFORM_TAG]);
  purgeOn('media.updated', ({ mediaId }) => [toMediaTag(mediaId)]);
}

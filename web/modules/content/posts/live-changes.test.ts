import { getPost, listOwnPosts } from '@stagedoor/contract/content/posts.ts';
import { postId } from '@stagedoor/contract/shared/ids.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { applyAudienceChange } from './live-changes.ts';

test('posts that subscriptions open to others are refetched, each on its page and all in lists', () => {
  const client = new QueryClient();
  const [changed, other] = ['01a1fc83-76c0-7000-89ba-b8198b46b601', '01a1fc83-76c0-7000-89ba-b8198b46b602'].map((id) =>
    z.parse(postId, id),
  );
  if (!changed || !other) throw new Error('no ids');
  const toKey = (id: typeof changed) => apiQuery(getPost, { params: { id } }).queryKey;
  for (const queryKey of [toKey(changed), toKey(other), routeKey(listOwnPosts)]) client.setQueryData([...queryKey], {});
  applyAudienceChange(client, { postIds: [changed] });
  expect(client.getQueryState(toKey(changed))?.isInvalidated).toBe(true);
  expect(client.getQueryState(toKey(other))?.isInvalidated).toBe(false);
  expect(client.getQueryState(routeKey(listOwnPosts))?.isInvalidated).toBe(true);
});

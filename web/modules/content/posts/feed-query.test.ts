/** Tests which new posts enter an open feed (row C3). */
import { getFeed } from '@stagedoor/contract/content/feed.ts';
import { getProfileFollow } from '@stagedoor/contract/content/profiles.ts';
import { expect, test } from 'vitest';
import { createQueryClient, routeKey } from '../../../platform/query.ts';
import { feedQuery, isFollowed } from './feed-query.ts';

const CREATOR = '01a20b46-e849-7382-ab47-9b1fa0e62bf3';

async function createClient() {
  const requests: string[] = [];
  const client = createQueryClient(async ({ route }) => {
    requests.push(route);
    return {
      status: 200,
      body: route === getFeed.path ? { data: [{ author: { id: CREATOR } }] } : { isFollowed: false },
    };
  });
  await client.fetchInfiniteQuery(feedQuery('video'));
  return { client, requests };
}

test('a creator with a post in a fresh cached feed counts as followed without a request', async () => {
  const { client, requests } = await createClient();
  expect(await isFollowed(client, CREATOR)).toBe(true);
  expect(requests).toEqual([getFeed.path]);
});

test('a creator who was unfollowed does not count as followed, although an inactive list still caches their posts', async () => {
  const { client, requests } = await createClient();
  await client.invalidateQueries({ queryKey: routeKey(getFeed) });
  expect(await isFollowed(client, CREATOR)).toBe(false);
  expect(requests).toEqual([getFeed.path, getProfileFollow.path]);
});

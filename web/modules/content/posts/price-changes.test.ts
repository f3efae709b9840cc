import { getPost, type Post } from '@stagedoor/contract/content/posts.ts';
import { postId } from '@stagedoor/contract/shared/ids.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiQuery } from '../../../platform/query.ts';
import { applyPriceChange } from './price-changes.ts';

const ID = z.parse(postId, '01a1fc83-76c0-7000-89ba-b8198b46b601');
const { queryKey } = apiQuery(getPost, { params: { id: ID } });

function createClient(price: number): QueryClient {
  const client = new QueryClient();
  client.setQueryData(queryKey, { id: ID, price, isUnlocked: price === 0 } as Post);
  return client;
}

test('an open page shows the new price of a post without a request', () => {
  const client = createClient(5);
  applyPriceChange(client, { postId: ID, price: 7.5 });
  expect(client.getQueryData(queryKey)).toMatchObject({ price: 7.5, isUnlocked: false });
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
});

test.each([
  ['is refetched, because its files are others', 5, 0, true],
  ['stays as it was opened, so that a playing film is not removed without a reason', 0, 5, false],
])('a post whose price changes between free and paid %s', (_, before, price, isRefetched) => {
  const client = createClient(before);
  applyPriceChange(client, { postId: ID, price });
  expect(client.getQueryData(queryKey)).toMatchObject({ price: before });
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(isRefetched);
});

import { followCreator } from '@stagedoor/contract/content/follows.ts';
import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { conversationChanged, userBlockUnblock } from '@stagedoor/contract/messaging/chat-events.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { routeKey } from '../../../platform/query.ts';
import { dispatchEvent } from '../../../platform/socket-events.ts';
import { refetchTermsOnChange } from './own-terms.ts';

const TERMS_KEY = [...routeKey(getCallTerms), { id: 'creator' }, {}];

function createClient() {
  const client = new QueryClient();
  client.setQueryData(TERMS_KEY, { unavailableReason: 'followers' });
  return {
    client,
    isStale: () => client.getQueryState(TERMS_KEY)?.isInvalidated,
    follow: (send: () => Promise<unknown> = () => Promise.resolve({})) =>
      client
        .getMutationCache()
        .build(client, { mutationKey: routeKey(followCreator), mutationFn: send })
        .execute(undefined),
  };
}

test('the terms are fetched again after a follow, and not after a failed one', async () => {
  const { client, isStale, follow } = createClient();
  const stop = refetchTermsOnChange(client);
  await expect(follow(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
  expect(isStale()).toBe(false);
  await follow();
  expect(isStale()).toBe(true);
  stop();
});

test('a follow before this code was loaded counts as well', async () => {
  const { client, isStale, follow } = createClient();
  await follow();
  expect(isStale()).toBe(false);
  refetchTermsOnChange(client)();
  expect(isStale()).toBe(true);
});

test.each([balanceChanged, conversationChanged, userBlockUnblock])(
  'the terms are fetched again after $name',
  ({ name }) => {
    const { client, isStale } = createClient();
    const stop = refetchTermsOnChange(client);
    dispatchEvent(name, {});
    expect(isStale()).toBe(true);
    stop();
  },
);

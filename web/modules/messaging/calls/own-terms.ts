/**
 * Refetches the call terms when the viewer becomes or stops being someone who may call: a follower, a fan who paid, or a
 * fan with an open chat. Other modules change that, so their requests and events are observed here.
 */
import { followCreator } from '@stagedoor/contract/content/follows.ts';
import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { conversationChanged, userBlockUnblock } from '@stagedoor/contract/messaging/chat-events.ts';
import type { QueryClient } from '@tanstack/react-query';
import { routeKey } from '../../../platform/query.ts';
import { onEvent } from '../../../platform/socket-events.ts';

const EVENTS = [balanceChanged, conversationChanged, userBlockUnblock];
const [FOLLOW_KEY] = routeKey(followCreator);

/** Returns the function that stops it. */
export function refetchTermsOnChange(client: QueryClient): () => void {
  const refetch = () => void client.invalidateQueries({ queryKey: routeKey(getCallTerms) });
  const mutations = client.getMutationCache();
  const isFollow = (mutationKey: readonly unknown[] | undefined) => mutationKey?.[0] === FOLLOW_KEY;
  // This code loads when the browser is first idle, which may be after the first follow.
  if (mutations.getAll().some(({ options, state }) => isFollow(options.mutationKey) && state.status === 'success'))
    refetch();
  const stops = [
    mutations.subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      if (isFollow(event.mutation.options.mutationKey)) refetch();
    }),
    ...EVENTS.map((event) => onEvent(event, refetch)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

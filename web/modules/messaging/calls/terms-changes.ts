import { getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import type { callTermsChanged } from '@stagedoor/contract/messaging/calls-events.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/query.ts';
import { applyEvent } from '../../../platform/socket-events.ts';

/** All viewers of a creator receive the event at the same moment. Their requests are spread over this time. */
const SPREAD_MS = 3_000;

/** Shows the new prices at once, and refetches what differs by viewer, such as how long their funds last. */
export function applyTermsChange(
  client: QueryClient,
  { creatorId, videoRate, audioRate }: PayloadOf<typeof callTermsChanged>,
): void {
  const { queryKey } = apiQuery(getCallTerms, { params: { id: creatorId } });
  if (!client.getQueryData(queryKey)) return;
  applyEvent(client, () => client.setQueryData(queryKey, (terms) => terms && { ...terms, videoRate, audioRate }));
  setTimeout(() => void client.invalidateQueries({ queryKey }), Math.random() * SPREAD_MS);
}

/** Terms were read before the server emits changes of their creator to this page. */
export function refetchTermsOf(client: QueryClient, creators: readonly { id: UserId }[]): void {
  for (const { id } of creators)
    void client.invalidateQueries({ queryKey: apiQuery(getCallTerms, { params: { id } }).queryKey });
}

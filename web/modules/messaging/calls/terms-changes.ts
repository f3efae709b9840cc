import { getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import type { callTermsChanged } from '@stagedoor/contract/messaging/calls-events.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/query.ts';

/** All viewers of a creator receive the event at the same moment. Their requests are spread over this time. */
const SPREAD_MS = 3_000;

/** Shows the new prices at once, and refetches what differs by viewer, such as how long their funds last. */
export function applyTermsChange(
  client: QueryClient,
  { creatorId, videoRate, audioRate }: PayloadOf<typeof callTermsChanged>,
): void {
  const { queryKey } = apiQuery(getCallTerms, { params: { id: creatorId } });
  if (!client.getQueryData(queryKey)) return;
  client.setQueryData(queryKey, (terms) => terms && { ...terms, videoRate, audioRate });
  setTimeout(() => void client.invalidateQueries({ queryKey }), Math.random() * SPREAD_MS);
}

import { type CallLog, listCallLogs } from '@stagedoor/contract/messaging/calls.ts';
import { apiQuery } from '../../../platform/query.ts';

const MAX_SHOWN = 3;
const MAX_AGE_DAYS = 7;

/** Never cached, because calls also happen on other devices. */
export const recentCallsQuery = () => ({ ...apiQuery(listCallLogs, { query: { limit: 20 } }), staleTime: 0 });

/**
 * From calls that are sorted newest first, returns the last one of each creator if it failed recently. Callback
 * requests come first.
 */
export function listUnansweredCalls(calls: readonly CallLog[], now: string): CallLog[] {
  const since = Date.parse(now) - MAX_AGE_DAYS * 86_400_000;
  const lastCalls = calls.filter(({ other }, index) => calls.findIndex((each) => each.other.id === other.id) === index);
  const unansweredCalls = lastCalls.filter(
    ({ isOutgoing, endedAt, answeredAt, createdAt, reason, isCallbackRequested }) =>
      isOutgoing &&
      endedAt !== null &&
      answeredAt === null &&
      Date.parse(createdAt) >= since &&
      // A fan who cancelled the call expects nothing, unless the creator requests a callback.
      (isCallbackRequested || (reason !== 'cancelled' && reason !== 'stopped')),
  );
  return unansweredCalls
    .sort((a, b) => Number(b.isCallbackRequested) - Number(a.isCallbackRequested))
    .slice(0, MAX_SHOWN);
}

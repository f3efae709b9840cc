import { type CallLog, callHistory } from '@stagedoor/contract/calls.ts';
import { apiQuery } from '../../kernel/query.ts';

const SHOWN = 3;
const DAYS = 7;

/** Never cached, because calls also happen on other devices. */
export const recentCallsQuery = () => ({ ...apiQuery(callHistory, { query: { limit: 20 } }), staleTime: 0 });

/**
 * From calls that are sorted newest first, returns the last one of each creator if it failed recently. Callback
 * requests come first.
 */
export function unanswered(calls: readonly CallLog[], now: string): CallLog[] {
  const since = Date.parse(now) - DAYS * 86_400_000;
  const last = calls.filter(({ other }, index) => calls.findIndex((each) => each.other.id === other.id) === index);
  const open = last.filter(
    ({ isOutgoing, endedAt, answeredAt, createdAt, reason, isCallBackAsked }) =>
      isOutgoing &&
      endedAt !== null &&
      answeredAt === null &&
      Date.parse(createdAt) >= since &&
      // A fan who cancelled the call expects nothing, unless the creator requests a callback.
      (isCallBackAsked || (reason !== 'cancelled' && reason !== 'stopped')),
  );
  return open.sort((a, b) => Number(b.isCallBackAsked) - Number(a.isCallBackAsked)).slice(0, SHOWN);
}

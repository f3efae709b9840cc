/** Which of a fan's calls still wait for something: nobody answered, or the creator asks for another. */
import { type CallLog, callHistory } from '@stagedoor/contract/calls.ts';
import { apiQuery } from '../../kernel/query.ts';

const SHOWN = 3;
const DAYS = 7;

/** Asked for again each time the page is opened: calls happen elsewhere too. */
export const recentCallsQuery = () => ({ ...apiQuery(callHistory, { query: { limit: 20 } }), staleTime: 0 });

/** Of calls, newest first: the last with each creator, if it came to nothing within the last days, those asked for first. */
export function unanswered(calls: readonly CallLog[], now: string): CallLog[] {
  const since = Date.parse(now) - DAYS * 86_400_000;
  const last = calls.filter(({ other }, index) => calls.findIndex((each) => each.other.id === other.id) === index);
  const open = last.filter(
    ({ isOutgoing, endedAt, answeredAt, createdAt, reason, isCallBackAsked }) =>
      isOutgoing &&
      endedAt !== null &&
      answeredAt === null &&
      Date.parse(createdAt) >= since &&
      // Who gave up themselves waits for nothing, unless they were asked.
      (isCallBackAsked || (reason !== 'cancelled' && reason !== 'stopped')),
  );
  return open.sort((a, b) => Number(b.isCallBackAsked) - Number(a.isCallBackAsked)).slice(0, SHOWN);
}

import { countMissedCalls } from '@stagedoor/contract/messaging/calls.ts';
import { apiQuery } from '../../../platform/query.ts';

export const missedCallsQuery = () => apiQuery(countMissedCalls, {});

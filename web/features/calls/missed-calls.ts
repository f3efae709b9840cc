import { countMissedCalls } from '@stagedoor/contract/calls.ts';
import { apiQuery } from '../../kernel/query.ts';

export const missedCallsQuery = () => apiQuery(countMissedCalls, {});

import { missedCalls } from '@stagedoor/contract/calls.ts';
import { apiQuery } from '../../kernel/query.ts';

export const missedQuery = () => apiQuery(missedCalls, {});

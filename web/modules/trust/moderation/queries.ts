import { listOwnDecisions, listOwnReports } from '@stagedoor/contract/trust/moderation.ts';
import { apiQuery } from '../../../platform/query.ts';

export const reportsQuery = () => apiQuery(listOwnReports, {});
export const decisionsQuery = () => apiQuery(listOwnDecisions, {});

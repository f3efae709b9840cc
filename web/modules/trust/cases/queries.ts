import { getTicket, listOwnDecisions, listOwnReports, listTickets } from '@stagedoor/contract/trust/cases.ts';
import { apiInfiniteQuery, apiQuery } from '../../../platform/query.ts';

export const ticketsQuery = () => apiInfiniteQuery(listTickets, { query: { limit: 30 } });
export const ticketQuery = (id: string) => apiQuery(getTicket, { params: { id } });
export const reportsQuery = () => apiQuery(listOwnReports, {});
export const decisionsQuery = () => apiQuery(listOwnDecisions, {});

import { listDecisions, listReports, listTickets, readTicket } from '@stagedoor/contract/cases.ts';
import { apiInfiniteQuery, apiQuery } from '../../kernel/query.ts';

export const ticketsQuery = () => apiInfiniteQuery(listTickets, { query: { limit: 30 } });
export const ticketQuery = (id: string) => apiQuery(readTicket, { params: { id } });
export const reportsQuery = () => apiQuery(listReports, {});
export const decisionsQuery = () => apiQuery(listDecisions, {});

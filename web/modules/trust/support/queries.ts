import { getTicket, listTickets } from '@stagedoor/contract/trust/support.ts';
import { apiInfiniteQuery, apiQuery } from '../../../platform/query.ts';

export const ticketsQuery = () => apiInfiniteQuery(listTickets, { query: { limit: 30 } });
export const ticketQuery = (id: string) => apiQuery(getTicket, { params: { id } });

/** What the desk's search and a person's page ask for. */
import { lookUp, readPerson } from '@stagedoor/contract/lookup.ts';
import { apiQuery } from '../../../kernel/query.ts';

export const soughtIn = (search: URLSearchParams) => (search.get('q') ?? '').trim().slice(0, 254);
export const lookUpQuery = (q: string) => apiQuery(lookUp, { query: { q } });
export const personQuery = (id: string) => apiQuery(readPerson, { params: { id } });

import { lookUp, readPerson } from '@stagedoor/contract/lookup.ts';
import { readDeskCall, readDeskPost, showDeskPost } from '@stagedoor/contract/lookup-things.ts';
import { apiQuery } from '../../../kernel/query.ts';

export const soughtIn = (search: URLSearchParams) => (search.get('q') ?? '').trim().slice(0, 254);
export const lookUpQuery = (q: string) => apiQuery(lookUp, { query: { q } });
export const personQuery = (id: string) => apiQuery(readPerson, { params: { id } });
export const postQuery = (id: string) => apiQuery(readDeskPost, { params: { id } });
export const postThingQuery = (id: string) => ({
  ...apiQuery(showDeskPost, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});
export const callQuery = (id: string) => apiQuery(readDeskCall, { params: { id } });

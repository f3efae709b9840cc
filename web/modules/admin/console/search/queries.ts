import { getAdminCall, getAdminPost, getAdminPostContent } from '@stagedoor/contract/admin/content.ts';
import { getAdminUser, searchAdmin } from '@stagedoor/contract/admin/search.ts';
import { apiQuery } from '../../../../platform/query.ts';

export const parseSearch = (search: URLSearchParams) => (search.get('q') ?? '').trim().slice(0, 254);
export const adminSearchQuery = (q: string) => apiQuery(searchAdmin, { query: { q } });
export const adminUserQuery = (id: string) => apiQuery(getAdminUser, { params: { id } });
export const adminPostQuery = (id: string) => apiQuery(getAdminPost, { params: { id } });
export const adminPostContentQuery = (id: string) => ({
  ...apiQuery(getAdminPostContent, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});
export const adminCallQuery = (id: string) => apiQuery(getAdminCall, { params: { id } });

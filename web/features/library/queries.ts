import { PATHS } from '@stagedoor/contract/addresses.ts';
import { getMedia, LIBRARY_TYPES, listMedia } from '@stagedoor/contract/media.ts';
import { oneOf } from '../../kernel/address.ts';
import { apiInfiniteQuery, apiQuery } from '../../kernel/query.ts';

export const LIBRARY_PATH = PATHS.creatorMedia;
const PAGE = 30;
const USES = ['all', 'used', 'unused'] as const;

export type Filters = {
  type: (typeof LIBRARY_TYPES)[number];
  use: (typeof USES)[number];
  search: string;
};

export const TYPE_WORDS: Readonly<Record<Filters['type'], string>> = {
  all: 'All',
  picture: 'Photos',
  pictureSet: 'Albums',
  video: 'Videos',
  audio: 'Audio',
};
export const USE_WORDS: Readonly<Record<Filters['use'], string>> = { all: 'All', used: 'Used', unused: 'Unused' };

export function filtersOf(search: URLSearchParams): Filters {
  return {
    type: oneOf(LIBRARY_TYPES, search.get('type')) ?? 'all',
    use: oneOf(USES, search.get('use')) ?? 'all',
    search: (search.get('search') ?? '').trim().slice(0, 100),
  };
}

export const libraryQuery = (filters: Filters) => apiInfiniteQuery(listMedia, { query: { ...filters, limit: PAGE } });
export const mediaQuery = (id: string) => apiQuery(getMedia, { params: { id } });

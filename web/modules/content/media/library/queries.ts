import { getMedia, LIBRARY_TYPES, listMedia } from '@stagedoor/contract/content/media.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { parseOption } from '../../../../platform/address.ts';
import { apiInfiniteQuery, apiQuery } from '../../../../platform/query.ts';
import * as texts from '../texts.ts';

export const LIBRARY_PATH = PATHS.creatorMedia;
const PAGE_SIZE = 30;
const USE_FILTERS = ['all', 'used', 'unused'] as const;

export type LibraryFilterState = {
  type: (typeof LIBRARY_TYPES)[number];
  use: (typeof USE_FILTERS)[number];
  search: string;
};

export const MEDIA_TYPE_LABELS: Readonly<Record<LibraryFilterState['type'], string>> = {
  all: texts.all,
  picture: texts.photos,
  pictureSet: texts.albums,
  video: texts.videos,
  audio: texts.audio,
};
export const USE_LABELS: Readonly<Record<LibraryFilterState['use'], string>> = {
  all: texts.all,
  used: texts.used,
  unused: texts.unused,
};

export function parseLibraryFilters(search: URLSearchParams): LibraryFilterState {
  return {
    type: parseOption(LIBRARY_TYPES, search.get('type')) ?? 'all',
    use: parseOption(USE_FILTERS, search.get('use')) ?? 'all',
    search: (search.get('search') ?? '').trim().slice(0, 100),
  };
}

export const libraryQuery = (filters: LibraryFilterState) =>
  apiInfiniteQuery(listMedia, { query: { ...filters, limit: PAGE_SIZE } });
export const mediaQuery = (id: string) => apiQuery(getMedia, { params: { id } });

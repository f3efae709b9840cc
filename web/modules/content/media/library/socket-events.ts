/** Applies live events to the cached library pages. These are pure functions whose result equals a refetch. */

import type { listMedia, Media } from '@stagedoor/contract/content/media.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import type { LibraryFilterState } from './queries.ts';

export type LibraryPage = ResponseOf<typeof listMedia>;
export type LibraryItem = LibraryPage['data'][number];
type MediaProgress = Pick<Media, 'id' | 'stage' | 'progress'>;

/** Whether an upload belongs to a list. Undefined if only the server knows, as for searches and picture sets. */
export function matchesFilters(
  media: Pick<Media, 'kind' | 'isUsed'>,
  { type, use, search }: LibraryFilterState,
): boolean | undefined {
  if (use !== 'all' && media.isUsed !== (use === 'used')) return false;
  if (type === 'pictureSet') return media.kind === 'picture' ? undefined : false;
  if (type !== 'all' && type !== media.kind) return false;
  return search === '' ? true : undefined;
}

function addToTotal(pages: LibraryPage[], by: number): LibraryPage[] {
  return by === 0 ? pages : pages.map((page) => ({ ...page, totalCount: page.totalCount + by }));
}

export function removeMediaFromPages(pages: LibraryPage[], id: string): LibraryPage[] {
  const isListed = pages.some((page) => page.data.some(({ media }) => media.id === id));
  if (!isListed) return pages;
  const remaining = pages.map((page) => ({ ...page, data: page.data.filter(({ media }) => media.id !== id) }));
  return addToTotal(remaining, -1);
}

export function upsertMediaInPages(pages: LibraryPage[], media: Media, filters: LibraryFilterState): LibraryPage[] {
  const isMatch = matchesFilters(media, filters);
  if (isMatch === false) return removeMediaFromPages(pages, media.id);
  const isListed = pages.some((page) => page.data.some((item) => item.media.id === media.id));
  if (isListed) {
    const change = (item: LibraryItem) => (item.media.id === media.id ? { ...item, media } : item);
    return pages.map((page) => ({ ...page, data: page.data.map(change) }));
  }
  if (isMatch === undefined) return pages;
  // Ids sort by time, newest first. An upload older than all loaded ones belongs to a page that is not loaded yet.
  const isAfter = (page: LibraryPage) => page.data.some((item) => item.media.id < media.id);
  const last = pages.length - 1;
  const at = pages.findIndex((page, index) => isAfter(page) || (index === last && page.nextOffset === undefined));
  if (at < 0) return pages;
  const insert = ({ data }: LibraryPage) => {
    const position = data.findIndex((item) => item.media.id < media.id);
    return data.toSpliced(position < 0 ? data.length : position, 0, { media, postId: null, draftIds: [] });
  };
  return addToTotal(
    pages.map((page, index) => (index === at ? { ...page, data: insert(page) } : page)),
    1,
  );
}

export function applyProgress(pages: LibraryPage[], { id, stage, progress }: MediaProgress): LibraryPage[] {
  const change = (item: LibraryItem) =>
    item.media.id === id ? { ...item, media: { ...item.media, stage, progress } } : item;
  return pages.map((page) => ({ ...page, data: page.data.map(change) }));
}

/** Removes duplicates, which occur when the list shifted on the server between two pages. */
export function toUniqueItems(pages: readonly LibraryPage[]): LibraryItem[] {
  const seenIds = new Set<string>();
  return pages.flatMap((page) => page.data.filter(({ media }) => !seenIds.has(media.id) && seenIds.add(media.id)));
}

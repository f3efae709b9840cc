/** Applies live events to the cached library pages. These are pure functions whose result equals a refetch. */

import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { listMedia, Media } from '@stagedoor/contract/media.ts';
import type { Filters } from './queries.ts';

export type LibraryPage = ResponseOf<typeof listMedia>;
export type LibraryItem = LibraryPage['data'][number];
type Progress = Pick<Media, 'id' | 'stage' | 'progress'>;

/** Whether an upload belongs to a list. Undefined if only the server knows, as for searches and picture sets. */
export function belongs(media: Pick<Media, 'kind' | 'isUsed'>, { type, use, search }: Filters): boolean | undefined {
  if (use !== 'all' && media.isUsed !== (use === 'used')) return false;
  if (type === 'pictureSet') return media.kind === 'picture' ? undefined : false;
  if (type !== 'all' && type !== media.kind) return false;
  return search === '' ? true : undefined;
}

function counted(pages: LibraryPage[], by: number): LibraryPage[] {
  return by === 0 ? pages : pages.map((page) => ({ ...page, totalCount: page.totalCount + by }));
}

export function withoutMedia(pages: LibraryPage[], id: string): LibraryPage[] {
  const isThere = pages.some((page) => page.data.some(({ media }) => media.id === id));
  if (!isThere) return pages;
  const left = pages.map((page) => ({ ...page, data: page.data.filter(({ media }) => media.id !== id) }));
  return counted(left, -1);
}

export function withMedia(pages: LibraryPage[], media: Media, filters: Filters): LibraryPage[] {
  const fits = belongs(media, filters);
  if (fits === false) return withoutMedia(pages, media.id);
  const isThere = pages.some((page) => page.data.some((item) => item.media.id === media.id));
  if (isThere) {
    const change = (item: LibraryItem) => (item.media.id === media.id ? { ...item, media } : item);
    return pages.map((page) => ({ ...page, data: page.data.map(change) }));
  }
  if (fits === undefined) return pages;
  // Ids sort by time, newest first. An upload older than all loaded ones belongs to a page that is not loaded yet.
  const isAfter = (page: LibraryPage) => page.data.some((item) => item.media.id < media.id);
  const last = pages.length - 1;
  const at = pages.findIndex((page, index) => isAfter(page) || (index === last && page.nextOffset === undefined));
  if (at < 0) return pages;
  const hang = ({ data }: LibraryPage) => {
    const place = data.findIndex((item) => item.media.id < media.id);
    return data.toSpliced(place < 0 ? data.length : place, 0, { media, postId: null });
  };
  return counted(
    pages.map((page, index) => (index === at ? { ...page, data: hang(page) } : page)),
    1,
  );
}

export function withProgress(pages: LibraryPage[], { id, stage, progress }: Progress): LibraryPage[] {
  const change = (item: LibraryItem) =>
    item.media.id === id ? { ...item, media: { ...item.media, stage, progress } } : item;
  return pages.map((page) => ({ ...page, data: page.data.map(change) }));
}

/** Removes duplicates, which occur when the list shifted on the server between two pages. */
export function flatten(pages: readonly LibraryPage[]): LibraryItem[] {
  const known = new Set<string>();
  return pages.flatMap((page) => page.data.filter(({ media }) => !known.has(media.id) && known.add(media.id)));
}

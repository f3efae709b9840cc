/** Live events on the library as it is kept, page by page. Pure: cache plus event equals a refetch. */

import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { listMedia, Media } from '@stagedoor/contract/media.ts';
import type { Filters } from './queries.ts';

export type LibraryPage = ResponseOf<typeof listMedia>;
export type LibraryItem = LibraryPage['data'][number];
type Progress = Pick<Media, 'id' | 'stage' | 'progress'>;

/** Whether an upload belongs into a list. What a search finds, and what hangs with others, only the server knows: undefined. */
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

/** An upload as it is now: changed in its place, hung at its place when it is new, taken out when it belongs there no more. */
export function withMedia(pages: LibraryPage[], media: Media, filters: Filters): LibraryPage[] {
  const fits = belongs(media, filters);
  if (fits === false) return withoutMedia(pages, media.id);
  const isThere = pages.some((page) => page.data.some((item) => item.media.id === media.id));
  if (isThere) {
    const change = (item: LibraryItem) => (item.media.id === media.id ? { ...item, media } : item);
    return pages.map((page) => ({ ...page, data: page.data.map(change) }));
  }
  if (fits === undefined) return pages;
  // Ids are in the order of time, newest first. What is older than everything shown waits on a page not yet asked for.
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

/** Every item once: a page that moved by one on the server repeats its neighbour's last. */
export function flatten(pages: readonly LibraryPage[]): LibraryItem[] {
  const known = new Set<string>();
  return pages.flatMap((page) => page.data.filter(({ media }) => !known.has(media.id) && known.add(media.id)));
}

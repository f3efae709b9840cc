import type { Media } from '@stagedoor/contract/content/media.ts';
import { expect, test } from 'vitest';
import { type LibraryFilterState, parseLibraryFilters } from './queries.ts';
import {
  applyProgress,
  type LibraryItem,
  type LibraryPage,
  matchesFilters,
  removeMediaFromPages,
  toUniqueItems,
  upsertMediaInPages,
} from './socket-events.ts';

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}` as Media['id'];
const createMedia = (number: number, change: Partial<Media> = {}): Media => ({
  id: id(number),
  kind: 'picture',
  status: 'processing',
  stage: 'queued',
  progress: 0,
  failure: null,
  fileName: `${number}.jpg`,
  title: '',
  tags: [],
  price: 0,
  byteSize: 10,
  width: null,
  height: null,
  durationSeconds: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  picture: null,
  stream: null,
  captions: [],
  teaser: null,
  isUsed: false,
  leftOutSubtitles: 0,
  ...change,
});
const toItem = (media: Media): LibraryItem => ({ media, postId: null, draftIds: [] });
const ALL: LibraryFilterState = { type: 'all', use: 'all', search: '' };
const LIMIT = 2;

function fetched(all: readonly Media[], filters: LibraryFilterState, count = 3): LibraryPage[] {
  const listed = all.filter((media) => matchesFilters(media, filters)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return Array.from({ length: count }, (_, index) => ({
    data: listed.slice(index * LIMIT, (index + 1) * LIMIT).map(toItem),
    limit: LIMIT,
    totalCount: listed.length,
  }));
}

const uploads = [
  createMedia(1),
  createMedia(2, { kind: 'video', isUsed: true }),
  createMedia(3, { kind: 'audio' }),
  createMedia(4, { isUsed: true }),
];
const FILTERS: LibraryFilterState[] = [
  ALL,
  { ...ALL, type: 'picture' },
  { ...ALL, type: 'video' },
  { ...ALL, use: 'used' },
  { ...ALL, use: 'unused' },
  { ...ALL, type: 'picture', use: 'unused' },
];
const summarize = (pages: LibraryPage[]) => ({ items: toUniqueItems(pages), total: pages[0]?.totalCount });

test.each(FILTERS)('a ready, new, used or unused upload yields the same list as a refetch: %o', (filters) => {
  const pages = fetched(uploads, filters);
  const events: Media[] = [
    createMedia(1, { status: 'ready', stage: 'done' }),
    createMedia(2, { kind: 'video', isUsed: false }),
    createMedia(3, { kind: 'audio', isUsed: true }),
    createMedia(9),
    createMedia(9, { kind: 'video' }),
  ];
  for (const event of events) {
    const others = uploads.filter((media) => media.id !== event.id);
    expect(summarize(upsertMediaInPages(pages, event, filters))).toEqual(
      summarize(fetched([...others, event], filters)),
    );
  }
});

test.each(FILTERS)('removing an upload yields the same list as a refetch: %o', (filters) => {
  for (const removed of uploads) {
    const remaining = uploads.filter((media) => media !== removed);
    expect(summarize(removeMediaFromPages(fetched(uploads, filters), removed.id))).toEqual(
      summarize(fetched(remaining, filters)),
    );
  }
});

test('progress changes only its own item, and progress of an item that is not listed changes nothing', () => {
  const pages = fetched(uploads, ALL);
  const next = applyProgress(pages, { id: id(2), stage: 'improving', progress: 0.4 });
  expect(toUniqueItems(next).find(({ media }) => media.id === id(2))?.media).toMatchObject({
    stage: 'improving',
    progress: 0.4,
  });
  expect(toUniqueItems(next).filter(({ media }) => media.stage === 'queued')).toHaveLength(3);
  expect(applyProgress(pages, { id: id(77), stage: 'done', progress: 1 })).toEqual(pages);
});

test('an upload older than all loaded ones is left to its page, and newer uploads are inserted in any order', () => {
  const first = { ...fetched(uploads, ALL, 1)[0], nextOffset: 'c1' } as LibraryPage;
  expect(upsertMediaInPages([first], createMedia(0), ALL)).toEqual([first]);
  const both = upsertMediaInPages(upsertMediaInPages(fetched(uploads, ALL), createMedia(9), ALL), createMedia(8), ALL);
  expect(summarize(both)).toEqual(summarize(fetched([...uploads, createMedia(8), createMedia(9)], ALL)));
});

test('the same event twice adds one item', () => {
  const updated = upsertMediaInPages(fetched(uploads, ALL), createMedia(9), ALL);
  expect(upsertMediaInPages(updated, createMedia(9), ALL)).toEqual(updated);
});

test('search and picture set lists get no new items from events, but listed items are updated', () => {
  const filters = { ...ALL, search: 'kiln' };
  const pages = [{ data: [toItem(createMedia(4))], limit: LIMIT, totalCount: 1 }];
  expect(upsertMediaInPages(pages, createMedia(9), filters)).toEqual(pages);
  expect(toUniqueItems(upsertMediaInPages(pages, createMedia(4, { title: 'Kiln' }), filters))[0]?.media.title).toBe(
    'Kiln',
  );
  expect(matchesFilters(createMedia(1, { kind: 'video' }), { ...ALL, type: 'pictureSet' })).toBe(false);
});

test('unknown filter values in the address are ignored', () => {
  expect(parseLibraryFilters(new URLSearchParams('type=nonsense&use=1&search=%20'))).toEqual(ALL);
  expect(parseLibraryFilters(new URLSearchParams('type=audio&use=unused&search=%20kiln'))).toEqual({
    type: 'audio',
    use: 'unused',
    search: 'kiln',
  });
});

import type { Media } from '@stagedoor/contract/media.ts';
import { expect, test } from 'vitest';
import { belongs, flatten, type LibraryItem, type LibraryPage, withMedia, withoutMedia, withProgress } from './live.ts';
import { type Filters, filtersOf } from './queries.ts';

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}` as Media['id'];
const made = (number: number, change: Partial<Media> = {}): Media => ({
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
  ...change,
});
const item = (media: Media): LibraryItem => ({ media, postId: null });
const ALL: Filters = { type: 'all', use: 'all', search: '' };
const LIMIT = 2;

function fetched(all: readonly Media[], filters: Filters, count = 3): LibraryPage[] {
  const hung = all.filter((media) => belongs(media, filters)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return Array.from({ length: count }, (_, index) => ({
    data: hung.slice(index * LIMIT, (index + 1) * LIMIT).map(item),
    limit: LIMIT,
    totalCount: hung.length,
  }));
}

const world = [
  made(1),
  made(2, { kind: 'video', isUsed: true }),
  made(3, { kind: 'audio' }),
  made(4, { isUsed: true }),
];
const FILTERS: Filters[] = [
  ALL,
  { ...ALL, type: 'picture' },
  { ...ALL, type: 'video' },
  { ...ALL, use: 'used' },
  { ...ALL, use: 'unused' },
  { ...ALL, type: 'picture', use: 'unused' },
];
const shown = (pages: LibraryPage[]) => ({ items: flatten(pages), total: pages[0]?.totalCount });

test.each(FILTERS)('a ready, new, used or unused upload yields the same list as a refetch: %o', (filters) => {
  const pages = fetched(world, filters);
  const events: Media[] = [
    made(1, { status: 'ready', stage: 'done' }),
    made(2, { kind: 'video', isUsed: false }),
    made(3, { kind: 'audio', isUsed: true }),
    made(9),
    made(9, { kind: 'video' }),
  ];
  for (const event of events) {
    const others = world.filter((media) => media.id !== event.id);
    expect(shown(withMedia(pages, event, filters))).toEqual(shown(fetched([...others, event], filters)));
  }
});

test.each(FILTERS)('removing an upload yields the same list as a refetch: %o', (filters) => {
  for (const gone of world) {
    const left = world.filter((media) => media !== gone);
    expect(shown(withoutMedia(fetched(world, filters), gone.id))).toEqual(shown(fetched(left, filters)));
  }
});

test('progress changes only its own item, and progress of an item that is not listed changes nothing', () => {
  const pages = fetched(world, ALL);
  const next = withProgress(pages, { id: id(2), stage: 'improving', progress: 0.4 });
  expect(flatten(next).find(({ media }) => media.id === id(2))?.media).toMatchObject({
    stage: 'improving',
    progress: 0.4,
  });
  expect(flatten(next).filter(({ media }) => media.stage === 'queued')).toHaveLength(3);
  expect(withProgress(pages, { id: id(77), stage: 'done', progress: 1 })).toEqual(pages);
});

test('an upload older than all loaded ones is left to its page, and newer uploads are inserted in any order', () => {
  const first = { ...fetched(world, ALL, 1)[0], nextOffset: 'c1' } as LibraryPage;
  expect(withMedia([first], made(0), ALL)).toEqual([first]);
  const both = withMedia(withMedia(fetched(world, ALL), made(9), ALL), made(8), ALL);
  expect(shown(both)).toEqual(shown(fetched([...world, made(8), made(9)], ALL)));
});

test('the same event twice adds one item', () => {
  const once = withMedia(fetched(world, ALL), made(9), ALL);
  expect(withMedia(once, made(9), ALL)).toEqual(once);
});

test('search and picture set lists get no new items from events, but listed items are updated', () => {
  const filters = { ...ALL, search: 'kiln' };
  const pages = [{ data: [item(made(4))], limit: LIMIT, totalCount: 1 }];
  expect(withMedia(pages, made(9), filters)).toEqual(pages);
  expect(flatten(withMedia(pages, made(4, { title: 'Kiln' }), filters))[0]?.media.title).toBe('Kiln');
  expect(belongs(made(1, { kind: 'video' }), { ...ALL, type: 'pictureSet' })).toBe(false);
});

test('unknown filter values in the address are ignored', () => {
  expect(filtersOf(new URLSearchParams('type=nonsense&use=1&search=%20'))).toEqual(ALL);
  expect(filtersOf(new URLSearchParams('type=audio&use=unused&search=%20kiln'))).toEqual({
    type: 'audio',
    use: 'unused',
    search: 'kiln',
  });
});

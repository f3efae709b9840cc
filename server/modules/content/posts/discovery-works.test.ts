import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { MAX_SCANNED_POSTS, selectFeaturedWorks } from './discovery-works.ts';
import { makePost } from './testing.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

type WorksPage = {
  data: { id: string; price: number; isUnlocked: boolean; author: { id: string } }[];
  nextOffset?: string;
};
const listIds = ({ data }: WorksPage) => data.map(({ id }) => id);
const listFeatured = async (query = 'limit=24', as: TestApp | TestUser = test): Promise<WorksPage> =>
  (await as.inject('GET', `/api/public/featured-works?${query}`)).json();
const listWorks = async (query = 'limit=50', as: TestApp | TestUser = test): Promise<WorksPage> =>
  (await as.inject('GET', `/api/public/works?${query}`)).json();

it('the front page shows one work per creator, newest first, and a priced one in every fourth slot', () => {
  const open = (id: string) => ({ open: `${id}-open`, priced: null });
  const createBoth = (id: string) => ({ open: `${id}-open`, priced: `${id}-priced` });
  const priced = (id: string) => ({ open: null, priced: `${id}-priced` });
  expect(
    selectFeaturedWorks([
      createBoth('a'),
      open('b'),
      createBoth('c'),
      createBoth('d'),
      open('e'),
      priced('f'),
      createBoth('g'),
      createBoth('h'),
    ]),
  ).toEqual(['a-open', 'b-open', 'c-open', 'f-priced', 'd-open', 'e-open', 'g-open', 'h-priced']);
  expect(
    selectFeaturedWorks([createBoth('a'), createBoth('b'), createBoth('c'), createBoth('d'), createBoth('e')]),
  ).toEqual(['a-open', 'b-open', 'c-open', 'd-priced', 'e-open']);
  expect(selectFeaturedWorks([priced('a'), priced('b')])).toEqual(['a-priced', 'b-priced']);
  expect(selectFeaturedWorks(['a', 'b', 'c', 'd', 'e'].map(open))).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((id) => `${id}-open`),
  );
  expect(selectFeaturedWorks([{ open: null, priced: null }])).toEqual([]);
});

it('the front page shows the latest work of each creator, and only the preview of a locked one', async () => {
  const [one, two, three] = [await test.signUp('creator'), await test.signUp('creator'), await test.signUp('creator')];
  await makePost(test.ctx, one.id, { caption: 'Older' });
  const ones = await makePost(test.ctx, one.id, { caption: 'Newer' });
  const twos = await makePost(test.ctx, two.id);
  const locked = await makePost(test.ctx, three.id, { priceCents: 900 });
  expect(listIds(await listFeatured())).toEqual([twos, ones, locked]);
  expect(listIds(await listFeatured('limit=1'))).toEqual([twos]);
  const [, , shown] = (await listFeatured()).data;
  expect(shown).toMatchObject({ id: locked, price: 9, isUnlocked: false, author: { id: three.id } });
  const own = (await three.inject('GET', `/api/post/${locked}`)).json();
  const address = new URL(own.media[0].picture.url, 'http://here').pathname;
  for (const path of ['works?limit=24', 'all-works?limit=50'])
    expect((await test.inject('GET', `/api/public/${path}`)).body).not.toContain(address);
  expect((await three.inject('GET', '/api/public/featured-works?limit=24')).body).toContain(address);
});

it('all works are listed page by page, newest first, and filtered by category', async () => {
  const maker = await test.signUp('creator');
  await test.owner.query.updateTable('creators').set({ category: 'Film' }).where('user_id', '=', maker.id).execute();
  const films: string[] = [];
  for (let index = 0; index < 5; index += 1)
    films.unshift(await makePost(test.ctx, maker.id, { priceCents: index % 2 ? 500 : 0 }));
  const walk = async (query: string) => {
    const ids: string[] = [];
    for (let offset = ''; ; ) {
      const page = await listWorks(`limit=2${query}${offset && `&offset=${offset}`}`);
      ids.push(...listIds(page));
      if (page.nextOffset === undefined) return ids;
      offset = page.nextOffset;
    }
  };
  const everything = listIds(await listWorks());
  expect(everything.slice(0, 5)).toEqual(films);
  expect(everything).toEqual(everything.toSorted().toReversed());
  expect(await walk('')).toEqual(everything);
  expect(await walk('&category=Film')).toEqual(films);
  expect(await walk('&category=Dance')).toEqual([]);
  expect(listIds(await listWorks('limit=2&offset=2'))).toEqual(everything.slice(2, 4));
  for (const bad of ['category=Cars', 'offset=cYWFhYWFhYWE', 'limit=51'])
    expect((await test.inject('GET', `/api/public/works?${bad}`)).statusCode, bad).toBe(400);
});

it('removed works, works of blocked creators and works of blocked pairs are not listed', async () => {
  const maker = await test.signUp('creator');
  const fan = await test.signUp('customer');
  const id = await makePost(test.ctx, maker.id);
  const seen = async (as: TestApp | TestUser = test) => [
    listIds(await listFeatured('limit=24', as)).includes(id),
    listIds(await listWorks('limit=50', as)).includes(id),
  ];
  expect(await seen()).toEqual([true, true]);
  const pair = { fan_id: fan.id, creator_id: maker.id };
  await test.owner.query
    .insertInto('blocks')
    .values({ ...pair, since: new Date() })
    .execute();
  expect(await seen(fan)).toEqual([false, false]);
  expect(await seen()).toEqual([true, true]);
  const block = (is_blocked: boolean) =>
    test.owner.query.updateTable('users').set({ is_blocked }).where('id', '=', maker.id).execute();
  await block(true);
  expect(await seen()).toEqual([false, false]);
  await block(false);
  expect(await seen()).toEqual([true, true]);
  expect((await maker.inject('DELETE', `/api/post/${id}`)).statusCode).toBe(200);
  expect(await seen()).toEqual([false, false]);
});

it('each category shows its number of creators, and a cover of one who has published', async () => {
  const findCategory = async () => {
    const { data } = (await test.inject('GET', '/api/public/categories')).json();
    return data.find(({ category }: { category: string }) => category === 'Strength');
  };
  expect(await findCategory()).toEqual({ category: 'Strength', count: 0, cover: null });
  const [idle, maker] = [await test.signUp('creator'), await test.signUp('creator')];
  const cover = { category: 'Strength', cover_key: 'k', cover_width: 900, cover_height: 600 };
  for (const { id } of [idle, maker])
    await test.owner.query.updateTable('creators').set(cover).where('user_id', '=', id).execute();
  await test.owner.query.updateTable('creators').set({ follower_count: 9 }).where('user_id', '=', idle.id).execute();
  expect(await findCategory()).toEqual({ category: 'Strength', count: 2, cover: null });
  await makePost(test.ctx, maker.id);
  expect(await findCategory()).toMatchObject({
    count: 2,
    cover: { username: maker.username, focus: { x: 50, y: 50 } },
  });
});

it('a page reads a limited number of posts, and returns a cursor to continue', async () => {
  const app = await createTestApp();
  const [rare, many] = [await app.signUp('creator'), await app.signUp('creator')];
  await app.owner.query.updateTable('creators').set({ category: 'Ceramics' }).where('user_id', '=', rare.id).execute();
  await app.owner.query.updateTable('creators').set({ category: 'Music' }).where('user_id', '=', many.id).execute();
  const rareId = await makePost(app.ctx, rare.id);
  const commonId = await makePost(app.ctx, many.id);
  await app.owner.pool.query(
    `insert into posts (id, creator_id, type, caption, price_cents, media_count, media_metadata, created_at)
      select ('0fffffff-ffff-7000-8000-' || lpad(n::text, 12, '0'))::uuid, creator_id, type, caption, price_cents, media_count, media_metadata, created_at
      from posts, generate_series(1, $2::int) n where id = $1`,
    [commonId, MAX_SCANNED_POSTS],
  );
  const fetchWorks = async (query: string): Promise<WorksPage> =>
    (await app.inject('GET', `/api/public/works?${query}`)).json();
  const none = await fetchWorks('category=Ceramics&limit=10');
  expect([none.data, typeof none.nextOffset]).toEqual([[], 'string']);
  const next = await fetchWorks(`category=Ceramics&limit=10&offset=${none.nextOffset}`);
  expect([listIds(next), next.nextOffset]).toEqual([[rareId], undefined]);
  expect(listIds(await fetchWorks('limit=1&offset=9999999'))).toEqual(listIds(await fetchWorks('limit=1&offset=1000')));
  await app.close();
});

import { NEW_CREATOR_SLOTS } from '@stagedoor/contract/content/new-creator-slots.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

type CreatorColumns = { post_count?: number; follower_count?: number; craft?: string; is_verified?: boolean };

async function createCreator(name: string, columns: CreatorColumns = {}): Promise<TestUser> {
  const user = await test.signUp('creator', { name });
  if (Object.keys(columns).length === 0) return user;
  await test.owner.query
    .updateTable('creators')
    .set({ ...columns, verified_name: name })
    .where('user_id', '=', user.id)
    .execute();
  return user;
}
const fetchCreators = async (query: string) => (await test.inject('GET', `/api/public/creators?${query}`)).json();
const listIds = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

async function walkPages(limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = ''; ; ) {
    const page = await fetchCreators(`limit=${limit}${offset && `&offset=${offset}`}`);
    ids.push(...listIds(page));
    if (page.nextOffset === undefined) return ids;
    offset = page.nextOffset;
  }
}

it('every sixth slot shows a new creator, each once across all pages, and every day is drawn again', async () => {
  const known: string[] = [];
  for (let index = 0; index < 14; index += 1)
    known.push((await createCreator(`Known ${index}`, { post_count: 3, follower_count: 1_000 - index })).id);
  test.clock.advance((NEW_CREATOR_SLOTS.days + 2) * 24 * 60 * 60_000);
  const newCreators = new Set<string>();
  for (let index = 0; index < 3; index += 1)
    newCreators.add(
      (await createCreator(`Newcomer ${index}`, { post_count: 1, follower_count: index, is_verified: true })).id,
    );
  // E-mail addresses alone are cheap, so only verified creators are in the draw.
  const unverified = await createCreator('Not verified', { post_count: 1, follower_count: 1 });
  const silent = await createCreator('Has nothing yet');
  const famous = await createCreator('Came with many', { post_count: 1, follower_count: 5_000 });
  test.clock.advance(61_000);

  const allIds = await walkPages(50);
  expect(new Set(allIds).size).toBe(20);
  const slots = allIds.flatMap((id, index) => (newCreators.has(id) ? index + 1 : []));
  expect(slots).toEqual([NEW_CREATOR_SLOTS.every, 2 * NEW_CREATOR_SLOTS.every, 3 * NEW_CREATOR_SLOTS.every]);
  expect(allIds.filter((id) => !newCreators.has(id))).toEqual([famous.id, ...known, unverified.id, silent.id]);
  const operator = await test.signUp('operator');
  const draw = (await operator.inject('GET', '/api/admin/new-creator-slots')).json();
  expect(draw).toMatchObject({ day: test.clock.now().toISOString().slice(0, 10), count: 3 });
  expect(draw.data.map(({ id, slot }: { id: string; slot: number }) => allIds[slot - 1] === id)).toEqual([
    true,
    true,
    true,
  ]);
  expect(draw.data.map(({ id }: { id: string }) => id)).toEqual(allIds.filter((id) => newCreators.has(id)));
  expect((await test.inject('GET', '/api/admin/new-creator-slots')).statusCode).toBe(401);
  for (const limit of [1, 5, 6, 7]) expect(await walkPages(limit), `${limit} a page`).toEqual(allIds);
  expect(listIds(await fetchCreators('limit=6&offset=6'))).toEqual(allIds.slice(6, 12));
  expect(listIds(await fetchCreators('limit=50&sort=new')).slice(0, 2)).toEqual([famous.id, silent.id]);

  const [drawn = ''] = newCreators;
  const block = (is_blocked: boolean) =>
    test.owner.query.updateTable('users').set({ is_blocked }).where('id', '=', drawn).execute();
  await block(true);
  expect((await walkPages(50)).toSorted()).toEqual(allIds.filter((id) => id !== drawn).toSorted());
  await block(false);

  const draws = new Set<string>();
  for (let day = 0; day < 8; day += 1) {
    draws.add((await walkPages(50)).filter((id) => newCreators.has(id)).join());
    test.clock.advance(24 * 60 * 60_000);
  }
  expect(draws.size).toBeGreaterThan(1);
  test.clock.advance(NEW_CREATOR_SLOTS.days * 24 * 60 * 60_000);
  const later = await walkPages(50);
  expect(later.filter((id) => newCreators.has(id))).toEqual([...newCreators].toReversed());
  expect(later.slice(-4)).toContain(silent.id);
});

const searchIds = async (query: string, more = '') =>
  listIds(await fetchCreators(`search=${encodeURIComponent(query)}${more}`));

it('a search tolerates typos in every sort order, and finds nothing for nonsense', async () => {
  const ines = await createCreator('Inês Valadão', { craft: 'Violin maker' });
  for (const typed of ['ines valadao', 'INÊS', 'valadao violin', 'Valad', 'aladã', 'violin ines'])
    expect(await searchIds(typed), typed).toEqual([ines.id]);
  for (const typed of ['Valladao', 'violn', 'Valadeo', 'Valadoa', 'voilin maker', 'maker voilin', 'Inse Valadoa'])
    for (const sort of ['recommended', 'new'])
      expect(await searchIds(typed, `&sort=${sort}`), typed).toEqual([ines.id]);
  expect(await searchIds('valadoa', '&sort=online')).toEqual([]);
  for (const typed of ['xqzw', 'zzzzzzzz', "' or 1=1 --", 'ines zzzzzzzz', '🎭', '%', '_'])
    expect(await searchIds(typed), typed).toEqual([]);
  expect((await test.inject('GET', `/api/public/creators?search=${'a'.repeat(10_000)}`)).statusCode).toBe(400);
});

it('a misspelled search lists creators with all of the words before those with some of them', async () => {
  const both = await createCreator('Quillon Brassard');
  const user = await createCreator('Quillon Etxeberria', { follower_count: 900 });
  expect(await searchIds('Quilon Brasard')).toEqual([both.id, user.id]);
  expect(await searchIds('Quillon Brassard')).toEqual([both.id]);
});

it('a search is paged by rank or newest first, and counts what was returned so far', async () => {
  const creatorIds: string[] = [];
  for (let index = 0; index < 9; index += 1)
    creatorIds.push(
      (await createCreator(`Kobayashi ${index % 2 ? 'Umezawa' : 'Umezawako'}`, { follower_count: 2 ** index - 1 })).id,
    );
  const walkSearch = async (query: string, more = '') => {
    const [ids, totals]: [string[], number[]] = [[], []];
    for (let offset = ''; ; ) {
      const page = await fetchCreators(`search=${query}&limit=4${more}${offset && `&offset=${offset}`}`);
      ids.push(...listIds(page));
      totals.push(page.totalCount);
      if (page.nextOffset === undefined) return { ids, totals };
      offset = page.nextOffset;
    }
  };
  expect(await walkSearch('kobayashi')).toEqual({ ids: creatorIds.toReversed(), totals: [5, 9, 9] });
  expect(await walkSearch('kobayasih')).toEqual({ ids: creatorIds.toReversed(), totals: [5, 9, 9] });
  expect(await walkSearch('kobayashi', '&sort=new')).toEqual({
    ids: creatorIds.toSorted().toReversed(),
    totals: [5, 9, 9],
  });
  const [have, begin] = [
    creatorIds.filter((_, index) => index % 2 === 1),
    creatorIds.filter((_, index) => index % 2 === 0),
  ];
  expect((await walkSearch('umezawa')).ids).toEqual([...have.toReversed(), ...begin.toReversed()]);
  expect(new Set((await walkSearch('mezaw')).ids)).toEqual(new Set(creatorIds));
  expect(listIds(await fetchCreators('search=kobayashi&limit=4&offset=4'))).toEqual(
    creatorIds.toReversed().slice(4, 8),
  );
  for (const slot of ['9 1 x 4', '1 99 00000000-0000-7000-8000-000000000000 -1', 'anything'])
    expect(
      (await test.inject('GET', `/api/public/creators?search=a&offset=c${Buffer.from(slot).toString('base64url')}`))
        .statusCode,
      slot,
    ).toBe(400);
});

it('a search uses the current profile texts only, and finds no blocked creators', async () => {
  const user = await createCreator('Oyelaran Gbadamosi', { craft: 'Thatcher' });
  expect(await searchIds('thatcher')).toEqual([user.id]);
  const listTermsLeft = async () =>
    (
      await test.owner.query
        .selectFrom('search_terms')
        .select('term')
        .where('term', 'in', ['thatcher', 'oyelaran'])
        .execute()
    )
      .map(({ term }) => term)
      .toSorted();
  await test.owner.query.updateTable('creators').set({ craft: 'Wheelwright' }).where('user_id', '=', user.id).execute();
  expect(await searchIds('thatcher')).toEqual([]);
  expect(await searchIds('wheelwrigth')).toEqual([user.id]);
  expect(await listTermsLeft()).toEqual(['oyelaran']);
  const block = (is_blocked: boolean) =>
    test.owner.query.updateTable('users').set({ is_blocked }).where('id', '=', user.id).execute();
  await block(true);
  for (const typed of ['oyelaran', 'oyelarna', 'yelara']) expect(await searchIds(typed), typed).toEqual([]);
  expect(await listTermsLeft()).toEqual([]);
  await block(false);
  expect(await searchIds('oyelarna')).toEqual([user.id]);
  await test.owner.query.updateTable('creators').set({ follower_count: 70 }).where('user_id', '=', user.id).execute();
  const ranks = await test.owner.query
    .selectFrom('creator_search_terms')
    .select('rank')
    .distinct()
    .where('creator_id', '=', user.id)
    .execute();
  expect(ranks).toEqual([{ rank: 6 }]);
});

it('a search can be limited to followed creators or exclude them, and skips blocked pairs', async () => {
  const [followed, other] = [await createCreator('Przybylski Anna'), await createCreator('Przybylski Ewa')];
  const fan = await test.signUp('customer');
  await test.owner.query.insertInto('follows').values({ fan_id: fan.id, creator_id: followed.id }).execute();
  const searchAsFan = async (more: string) =>
    listIds((await fan.inject('GET', `/api/public/creators?search=${more}`)).json()).toSorted();
  const misspelled = 'przybylksi%20anna';
  for (const typed of ['przybylski', misspelled])
    expect(await searchAsFan(typed), typed).toEqual([followed.id, other.id].toSorted());
  expect(await searchAsFan(`${misspelled}&exclude=followed`)).toEqual([other.id]);
  for (const typed of ['przybylski', 'przybylksi']) {
    expect(await searchAsFan(`${typed}&sort=following`), typed).toEqual([followed.id]);
    expect(await searchAsFan(`${typed}&exclude=followed`), typed).toEqual([other.id]);
    expect(await searchIds(typed, '&exclude=followed'), typed).toHaveLength(2);
    expect(await searchIds(typed, '&sort=following'), typed).toEqual([]);
  }
  await test.owner.query
    .insertInto('blocks')
    .values({ fan_id: fan.id, creator_id: other.id, since: new Date() })
    .execute();
  for (const typed of ['przybylski', 'przybylksi', misspelled])
    expect(await searchAsFan(typed), typed).toEqual([followed.id]);
});

it('a search within a category tolerates typos and finds nothing of other categories', async () => {
  const match = await createCreator('Oluwaseun Adeyemi', { craft: 'Drum maker' });
  const elsewhere = await createCreator('Oluwaseun Adeyemo');
  const update = (id: string, category: string) =>
    test.owner.query.updateTable('creators').set({ category }).where('user_id', '=', id).execute();
  await update(match.id, 'Music');
  await update(elsewhere.id, 'Dance');
  const searchWithin = (category: string) => searchIds('Oluwasuen Adeyami', category && `&category=${category}`);
  expect(await searchWithin('')).toEqual([match.id, elsewhere.id]);
  expect(await searchWithin('Music')).toEqual([match.id]);
  expect(await searchWithin('Dance')).toEqual([elsewhere.id]);
  expect(await searchWithin('Film')).toEqual([]);
});

it('the count of a category leaves out the viewer’s blocked pairs and stops at a thousand', async () => {
  const fan = await test.signUp('customer');
  const add = async (from: number, to: number) => {
    await test.owner.pool.query(
      `insert into users (type, username, email, name, password_hash, email_verified_at)
         select 'creator', 'many.' || n, 'many.' || n || '@example.com', 'Many', '-', now() from generate_series($1::int, $2::int) n`,
      [from, to],
    );
    await test.owner.pool.query(
      `insert into creators (user_id, category, post_count) select id, 'Film', 1 from users where username like 'many.%' and id not in (select user_id from creators)`,
    );
  };
  const fetchTotal = async (user: TestUser) =>
    (await user.inject('GET', '/api/public/creators?category=Film&limit=1')).json().totalCount;
  const stranger = await test.signUp('customer');
  await add(1, 7);
  await test.owner.pool.query(
    `insert into blocks (fan_id, creator_id, since) select $1, id, now() from users where username in ('many.2', 'many.5')`,
    [fan.id],
  );
  expect([await fetchTotal(fan), await fetchTotal(stranger)]).toEqual([5, 7]);
  await add(8, 1_001);
  expect([await fetchTotal(fan), await fetchTotal(stranger)]).toEqual([999, 1_000]);
  await add(1_002, 2_001);
  expect([await fetchTotal(fan), await fetchTotal(stranger)]).toEqual([1_000, 1_000]);
});

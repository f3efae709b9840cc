import { FAIR_SHARE } from '@stagedoor/contract/fair-share.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

type Facts = { post_count?: number; follower_count?: number; craft?: string; is_verified?: boolean };

async function creator(name: string, facts: Facts = {}): Promise<TestUser> {
  const made = await test.signUp('creator', { name });
  if (Object.keys(facts).length === 0) return made;
  await test.owner.query
    .updateTable('creators')
    .set({ ...facts, verified_name: name })
    .where('user_id', '=', made.id)
    .execute();
  return made;
}
const list = async (query: string) => (await test.inject('GET', `/api/public/creators?${query}`)).json();
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

async function walk(limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = ''; ; ) {
    const page = await list(`limit=${limit}${offset && `&offset=${offset}`}`);
    ids.push(...idsOf(page));
    if (page.nextOffset === undefined) return ids;
    offset = page.nextOffset;
  }
}

it('every sixth slot shows a new creator, each once across all pages, and every day is drawn again', async () => {
  const known: string[] = [];
  for (let index = 0; index < 14; index += 1)
    known.push((await creator(`Known ${index}`, { post_count: 3, follower_count: 1_000 - index })).id);
  test.clock.advance((FAIR_SHARE.days + 2) * 24 * 60 * 60_000);
  const newcomers = new Set<string>();
  for (let index = 0; index < 3; index += 1)
    newcomers.add((await creator(`Newcomer ${index}`, { post_count: 1, follower_count: index, is_verified: true })).id);
  // E-mail addresses alone are cheap, so only verified creators are in the draw.
  const unverified = await creator('Not verified', { post_count: 1, follower_count: 1 });
  const silent = await creator('Has nothing yet');
  const famous = await creator('Came with many', { post_count: 1, follower_count: 5_000 });
  test.clock.advance(61_000);

  const whole = await walk(50);
  expect(new Set(whole).size).toBe(20);
  const places = whole.flatMap((id, index) => (newcomers.has(id) ? index + 1 : []));
  expect(places).toEqual([FAIR_SHARE.every, 2 * FAIR_SHARE.every, 3 * FAIR_SHARE.every]);
  expect(whole.filter((id) => !newcomers.has(id))).toEqual([famous.id, ...known, unverified.id, silent.id]);
  const operator = await test.signUp('operator');
  const draw = (await operator.inject('GET', '/api/admin/newcomers')).json();
  expect(draw).toMatchObject({ day: test.clock.now().toISOString().slice(0, 10), count: 3 });
  expect(draw.data.map(({ id, place }: { id: string; place: number }) => whole[place - 1] === id)).toEqual([
    true,
    true,
    true,
  ]);
  expect(draw.data.map(({ id }: { id: string }) => id)).toEqual(whole.filter((id) => newcomers.has(id)));
  expect((await test.inject('GET', '/api/admin/newcomers')).statusCode).toBe(401);
  for (const limit of [1, 5, 6, 7]) expect(await walk(limit), `${limit} a page`).toEqual(whole);
  expect(idsOf(await list('limit=6&offset=6'))).toEqual(whole.slice(6, 12));
  expect(idsOf(await list('limit=50&sort=new')).slice(0, 2)).toEqual([famous.id, silent.id]);

  const [drawn = ''] = newcomers;
  const block = (is_blocked: boolean) =>
    test.owner.query.updateTable('users').set({ is_blocked }).where('id', '=', drawn).execute();
  await block(true);
  expect((await walk(50)).toSorted()).toEqual(whole.filter((id) => id !== drawn).toSorted());
  await block(false);

  const draws = new Set<string>();
  for (let day = 0; day < 8; day += 1) {
    draws.add((await walk(50)).filter((id) => newcomers.has(id)).join());
    test.clock.advance(24 * 60 * 60_000);
  }
  expect(draws.size).toBeGreaterThan(1);
  test.clock.advance(FAIR_SHARE.days * 24 * 60 * 60_000);
  const later = await walk(50);
  expect(later.filter((id) => newcomers.has(id))).toEqual([...newcomers].toReversed());
  expect(later.slice(-4)).toContain(silent.id);
});

const search = async (words: string, more = '') => idsOf(await list(`search=${encodeURIComponent(words)}${more}`));

it('a search tolerates typos in every sort order, and finds nothing for nonsense', async () => {
  const ines = await creator('Inês Valadão', { craft: 'Violin maker' });
  for (const typed of ['ines valadao', 'INÊS', 'valadao violin', 'Valad', 'aladã', 'violin ines'])
    expect(await search(typed), typed).toEqual([ines.id]);
  for (const typed of ['Valladao', 'violn', 'Valadeo', 'Valadoa', 'voilin maker', 'maker voilin', 'Inse Valadoa'])
    for (const sort of ['recommended', 'new']) expect(await search(typed, `&sort=${sort}`), typed).toEqual([ines.id]);
  expect(await search('valadoa', '&sort=online')).toEqual([]);
  for (const typed of ['xqzw', 'zzzzzzzz', "' or 1=1 --", 'ines zzzzzzzz', '🎭', '%', '_'])
    expect(await search(typed), typed).toEqual([]);
  expect((await test.inject('GET', `/api/public/creators?search=${'a'.repeat(10_000)}`)).statusCode).toBe(400);
});

it('a misspelled search lists creators with all of the words before those with some of them', async () => {
  const both = await creator('Quillon Brassard');
  const one = await creator('Quillon Etxeberria', { follower_count: 900 });
  expect(await search('Quilon Brasard')).toEqual([both.id, one.id]);
  expect(await search('Quillon Brassard')).toEqual([both.id]);
});

it('a search is paged by rank or newest first, and counts what was returned so far', async () => {
  const made: string[] = [];
  for (let index = 0; index < 9; index += 1)
    made.push(
      (await creator(`Kobayashi ${index % 2 ? 'Umezawa' : 'Umezawako'}`, { follower_count: 2 ** index - 1 })).id,
    );
  const walkSearch = async (words: string, more = '') => {
    const [ids, totals]: [string[], number[]] = [[], []];
    for (let offset = ''; ; ) {
      const page = await list(`search=${words}&limit=4${more}${offset && `&offset=${offset}`}`);
      ids.push(...idsOf(page));
      totals.push(page.totalCount);
      if (page.nextOffset === undefined) return { ids, totals };
      offset = page.nextOffset;
    }
  };
  expect(await walkSearch('kobayashi')).toEqual({ ids: made.toReversed(), totals: [5, 9, 9] });
  expect(await walkSearch('kobayasih')).toEqual({ ids: made.toReversed(), totals: [5, 9, 9] });
  expect(await walkSearch('kobayashi', '&sort=new')).toEqual({ ids: made.toSorted().toReversed(), totals: [5, 9, 9] });
  const [have, begin] = [made.filter((_, index) => index % 2 === 1), made.filter((_, index) => index % 2 === 0)];
  expect((await walkSearch('umezawa')).ids).toEqual([...have.toReversed(), ...begin.toReversed()]);
  expect(new Set((await walkSearch('mezaw')).ids)).toEqual(new Set(made));
  expect(idsOf(await list('search=kobayashi&limit=4&offset=4'))).toEqual(made.toReversed().slice(4, 8));
  for (const place of ['9 1 x 4', '1 99 00000000-0000-7000-8000-000000000000 -1', 'anything'])
    expect(
      (await test.inject('GET', `/api/public/creators?search=a&offset=c${Buffer.from(place).toString('base64url')}`))
        .statusCode,
      place,
    ).toBe(400);
});

it('a search uses the current profile texts only, and finds no blocked creators', async () => {
  const made = await creator('Oyelaran Gbadamosi', { craft: 'Thatcher' });
  expect(await search('thatcher')).toEqual([made.id]);
  const wordsLeft = async () =>
    (
      await test.owner.query
        .selectFrom('search_words')
        .select('word')
        .where('word', 'in', ['thatcher', 'oyelaran'])
        .execute()
    )
      .map(({ word }) => word)
      .toSorted();
  await test.owner.query.updateTable('creators').set({ craft: 'Wheelwright' }).where('user_id', '=', made.id).execute();
  expect(await search('thatcher')).toEqual([]);
  expect(await search('wheelwrigth')).toEqual([made.id]);
  expect(await wordsLeft()).toEqual(['oyelaran']);
  const block = (is_blocked: boolean) =>
    test.owner.query.updateTable('users').set({ is_blocked }).where('id', '=', made.id).execute();
  await block(true);
  for (const typed of ['oyelaran', 'oyelarna', 'yelara']) expect(await search(typed), typed).toEqual([]);
  expect(await wordsLeft()).toEqual([]);
  await block(false);
  expect(await search('oyelarna')).toEqual([made.id]);
  await test.owner.query.updateTable('creators').set({ follower_count: 70 }).where('user_id', '=', made.id).execute();
  const standings = await test.owner.query
    .selectFrom('creator_words')
    .select('standing')
    .distinct()
    .where('creator_id', '=', made.id)
    .execute();
  expect(standings).toEqual([{ standing: 6 }]);
});

it('a search can be limited to followed creators or exclude them, and skips blocked pairs', async () => {
  const [followed, other] = [await creator('Przybylski Anna'), await creator('Przybylski Ewa')];
  const fan = await test.signUp('customer');
  await test.owner.query.insertInto('follows').values({ fan_id: fan.id, creator_id: followed.id }).execute();
  const asFan = async (more: string) =>
    idsOf((await fan.inject('GET', `/api/public/creators?search=${more}`)).json()).toSorted();
  const slipped = 'przybylksi%20anna';
  for (const typed of ['przybylski', slipped])
    expect(await asFan(typed), typed).toEqual([followed.id, other.id].toSorted());
  expect(await asFan(`${slipped}&exclude=followed`)).toEqual([other.id]);
  for (const typed of ['przybylski', 'przybylksi']) {
    expect(await asFan(`${typed}&sort=following`), typed).toEqual([followed.id]);
    expect(await asFan(`${typed}&exclude=followed`), typed).toEqual([other.id]);
    expect(await search(typed, '&exclude=followed'), typed).toHaveLength(2);
    expect(await search(typed, '&sort=following'), typed).toEqual([]);
  }
  await test.owner.query
    .insertInto('blocks')
    .values({ fan_id: fan.id, creator_id: other.id, since: new Date() })
    .execute();
  for (const typed of ['przybylski', 'przybylksi', slipped]) expect(await asFan(typed), typed).toEqual([followed.id]);
});

it('a search within a category tolerates typos and finds nothing of other categories', async () => {
  const found = await creator('Oluwaseun Adeyemi', { craft: 'Drum maker' });
  const elsewhere = await creator('Oluwaseun Adeyemo');
  const update = (id: string, category: string) =>
    test.owner.query.updateTable('creators').set({ category }).where('user_id', '=', id).execute();
  await update(found.id, 'Music');
  await update(elsewhere.id, 'Dance');
  const within = (category: string) => search('Oluwasuen Adeyami', category && `&category=${category}`);
  expect(await within('')).toEqual([found.id, elsewhere.id]);
  expect(await within('Music')).toEqual([found.id]);
  expect(await within('Dance')).toEqual([elsewhere.id]);
  expect(await within('Film')).toEqual([]);
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
  const total = async (one: TestUser) =>
    (await one.inject('GET', '/api/public/creators?category=Film&limit=1')).json().totalCount;
  const stranger = await test.signUp('customer');
  await add(1, 7);
  await test.owner.pool.query(
    `insert into blocks (fan_id, creator_id, since) select $1, id, now() from users where username in ('many.2', 'many.5')`,
    [fan.id],
  );
  expect([await total(fan), await total(stranger)]).toEqual([5, 7]);
  await add(8, 1_001);
  expect([await total(fan), await total(stranger)]).toEqual([999, 1_000]);
  await add(1_002, 2_001);
  expect([await total(fan), await total(stranger)]).toEqual([1_000, 1_000]);
});

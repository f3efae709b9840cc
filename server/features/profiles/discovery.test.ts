/** Whom discovery shows: newcomers in the places that are theirs, and who was meant by a slip of the pen. */
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

it('every sixth place is a newcomer’s, on every page once, and another day it is drawn anew', async () => {
  const known: string[] = [];
  for (let index = 0; index < 14; index += 1)
    known.push((await creator(`Known ${index}`, { post_count: 3, follower_count: 1_000 - index })).id);
  test.clock.advance((FAIR_SHARE.days + 2) * 24 * 60 * 60_000);
  const newcomers = new Set<string>();
  for (let index = 0; index < 3; index += 1)
    newcomers.add((await creator(`Newcomer ${index}`, { post_count: 1, follower_count: index, is_verified: true })).id);
  // Whoever is not verified is in no draw: addresses alone are cheap.
  const unverified = await creator('Not verified', { post_count: 1, follower_count: 1 });
  const silent = await creator('Has nothing yet');
  const famous = await creator('Came with many', { post_count: 1, follower_count: 5_000 });
  test.clock.advance(61_000);

  const whole = await walk(50);
  expect(new Set(whole).size).toBe(20);
  const places = whole.flatMap((id, index) => (newcomers.has(id) ? index + 1 : []));
  expect(places).toEqual([FAIR_SHARE.every, 2 * FAIR_SHARE.every, 3 * FAIR_SHARE.every]);
  expect(whole.filter((id) => !newcomers.has(id))).toEqual([famous.id, ...known, unverified.id, silent.id]);
  for (const limit of [1, 5, 6, 7]) expect(await walk(limit), `${limit} a page`).toEqual(whole);
  expect(idsOf(await list('limit=6&offset=6'))).toEqual(whole.slice(6, 12));
  expect(idsOf(await list('limit=50&sort=new')).slice(0, 2)).toEqual([famous.id, silent.id]);

  const draws = new Set<string>();
  for (let day = 0; day < 8; day += 1) {
    draws.add((await walk(50)).filter((id) => newcomers.has(id)).join());
    test.clock.advance(24 * 60 * 60_000);
  }
  expect(draws.size).toBeGreaterThan(1);
  test.clock.advance(FAIR_SHARE.days * 24 * 60 * 60_000);
  // Nobody's places any more: by followers like everybody.
  const later = await walk(50);
  expect(later.filter((id) => newcomers.has(id))).toEqual([...newcomers].toReversed());
  expect(later.slice(-4)).toContain(silent.id);
});

it('a search that nothing fits as it was spelled finds who comes closest, and nothing for nonsense', async () => {
  const ines = await creator('Inês Valadão', { craft: 'Violin maker' });
  const search = async (words: string) => idsOf(await list(`search=${encodeURIComponent(words)}`));
  for (const typed of ['ines valadao', 'INÊS', 'valadao violin']) expect(await search(typed), typed).toEqual([ines.id]);
  for (const typed of ['Valladao', 'voilin maker', 'Ines Valadoa', 'violn'])
    expect((await search(typed))[0], typed).toBe(ines.id);
  for (const typed of ['xqzw', 'zzzzzzzz', "' or 1=1 --"]) expect(await search(typed), typed).toEqual([]);
  expect((await test.inject('GET', `/api/public/creators?search=${'a'.repeat(10_000)}`)).statusCode).toBe(400);
});

it('forgives spelling within a category too, and finds nobody of another there', async () => {
  const found = await creator('Oluwaseun Adeyemi', { craft: 'Drum maker' });
  const elsewhere = await creator('Oluwaseun Adeyemo');
  const update = (id: string, category: string) =>
    test.owner.query.updateTable('creators').set({ category }).where('user_id', '=', id).execute();
  await update(found.id, 'Music');
  await update(elsewhere.id, 'Dance');
  const search = async (more: string) => idsOf(await list(`search=Oluwasuen%20Adeyami${more}`));
  expect(new Set(await search(''))).toEqual(new Set([found.id, elsewhere.id]));
  expect(await search('&category=Music')).toEqual([found.id]);
  expect(await search('&category=Dance')).toEqual([elsewhere.id]);
  expect(await search('&category=Film')).toEqual([]);
});

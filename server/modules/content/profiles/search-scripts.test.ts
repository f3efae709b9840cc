import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

async function createCreator(name: string, { craft = '', followers = 0 } = {}): Promise<string> {
  const user = await test.signUp('creator', { name });
  await test.owner.query
    .updateTable('creators')
    .set({ follower_count: followers, craft, verified_name: name })
    .where('user_id', '=', user.id)
    .execute();
  return user.id;
}
const searchIds = async (query: string, more = ''): Promise<string[]> =>
  (await test.inject('GET', `/api/public/creators?search=${encodeURIComponent(query)}${more}`))
    .json()
    .data.map(({ id }: { id: string }) => id);

it('finds names regardless of the form of sigma, of accents, of joiners and of the width of letters', async () => {
  const greek = await createCreator('ΟΔΟΣ Μουσικής');
  const persian = await createCreator('می\u200cخواهم');
  const wide = await createCreator('Ｙｕｋｉ ﾊﾅ');
  for (const typed of ['οδος', 'ΟΔΟΣ', 'οδός', 'οδοσ', 'μουσικησ', 'ΜΟΥΣΙΚΉΣ'])
    expect([typed, await searchIds(typed)]).toEqual([typed, [greek]]);
  for (const typed of ['می\u200cخواهم', 'میخواهم']) expect([typed, await searchIds(typed)]).toEqual([typed, [persian]]);
  for (const typed of ['yuki', 'ＹＵＫＩ', 'ハナ']) expect([typed, await searchIds(typed)]).toEqual([typed, [wide]]);
});

it.each([
  ['山田花子', '陶芸家', ['山田花子', '山田', '花子', '田花', '花', '陶芸', '芸']],
  ['김민지', '가수', ['김민지', '민지', '지', '가수']],
  ['สมชายใจดี', 'นักดนตรี', ['สมชาย', 'ใจดี', 'ใจ', 'ดนตรี']],
  ['ねこ写真館', 'カメラマン', ['写真', '館', 'カメ', 'メラ']],
  ['น้ำทิพย์', 'หมอ', ['น้ำ', 'ทิพย์']],
  ['रवि शङ्कर', 'सितार', ['शङ्कर', 'सितार', 'शङ्कर रवि']],
])('finds %s by parts of words', async (name, craft, searches) => {
  const id = await createCreator(name, { craft });
  for (const typed of searches) expect([typed, await searchIds(typed)]).toEqual([typed, [id]]);
});

it('finds a name in a script without blanks with and without the blank between its parts', async () => {
  const id = await createCreator('佐藤 健太');
  for (const typed of ['佐藤健太', '佐藤 健太', '健太 佐藤', '藤健'])
    expect([typed, await searchIds(typed)]).toEqual([typed, [id]]);
});

it('lists the most followed creators first for one, two and three first letters', async () => {
  for (let index = 0; index < 25; index += 1)
    await createCreator(`Zo${String.fromCharCode(97 + index)}aa`, { followers: 3 });
  const popular = await createCreator('Zozë', { followers: 100_000 });
  for (const typed of ['z', 'zo', 'zoz']) expect((await searchIds(typed))[0], typed).toBe(popular);
  expect(await searchIds('zo', '&limit=50')).toContain(popular);
  // The rank of a word follows the creator who has it.
  await test.owner.query.updateTable('creators').set({ follower_count: 0 }).where('user_id', '=', popular).execute();
  const { best_rank } = await test.owner.query
    .selectFrom('search_terms')
    .select('best_rank')
    .where('term', '=', 'zoze')
    .executeTakeFirstOrThrow();
  expect(best_rank).toBe(0);
});

it('finds words that begin with a short word that another creator has', async () => {
  const short = await createCreator('Ky');
  const long = await createCreator('Kyra', { followers: 500 });
  expect(await searchIds('ky')).toEqual([short, long]);
});

it('corrects a typing error that begins another word, after the creators with that word', async () => {
  const meant = await createCreator('Quentin Vasse', { followers: 900 });
  const begins = await createCreator('Vasesmith');
  // “vases” begins “vasesmith” and is one letter from “vasse”.
  expect(await searchIds('vases')).toEqual([begins, meant]);
  expect(await searchIds('quentin vases')).toEqual([meant]);
  expect(await searchIds('vases', '&limit=1')).toEqual([begins]);
});

it('corrects a typing error in a word of three letters', async () => {
  const id = await createCreator('Fyo Lindqvist');
  expect(await searchIds('foy lindqvist')).toEqual([id]);
});

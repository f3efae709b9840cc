import { listFollowers } from '@stagedoor/contract/content/follows.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let other: TestUser;
const DAYS = [
  '2026-10-30T23:59:59.999Z',
  '2026-10-31T00:00:00.000Z',
  '2026-10-31T23:59:59.999Z',
  '2026-11-01T00:00:00.000Z',
];
const NAMES = ['Zoë', 'ábel', 'Mira', 'Élan'];
const fans: TestUser[] = [];

beforeAll(async () => {
  test = await createTestApp();
  [creator, other] = await Promise.all([test.signUp('creator'), test.signUp('creator')]);
  for (const [index, name] of NAMES.entries()) {
    const fan = await test.signUp('customer', { name });
    fans.push(fan);
    await createFollow(test.ctx, fan.id, creator.id);
    const at = new Date(DAYS[index] ?? '');
    await test.ctx.db.query.updateTable('follows').set({ created_at: at }).where('fan_id', '=', fan.id).execute();
  }
});
afterAll(() => test.close());

async function list(query = '', as = creator) {
  const response = await as.inject('GET', `/api/creator/followers-list?${query}`);
  const page = z.parse(listFollowers.response, response.json());
  return { names: page.data.map(({ name }) => name), page };
}

it('the followers list is sorted by date or name in either direction, latest first by default', async () => {
  const { names, page } = await list();
  expect(names).toEqual(['Élan', 'Mira', 'ábel', 'Zoë']);
  expect(page).toMatchObject({ limit: 10, currentPage: 1, totalRecords: 4 });
  expect(page.data[0]).toEqual({
    id: fans[3]?.id,
    username: fans[3]?.username,
    name: 'Élan',
    avatarUrl: null,
    followedAt: DAYS[3],
  });
  expect((await list('sortOrderBy=asc')).names).toEqual(['Zoë', 'ábel', 'Mira', 'Élan']);
  expect((await list('sortByKey=createdAt&sortOrderBy=desc')).names).toEqual((await list('')).names);
  expect((await list('sortByKey=name&sortOrderBy=asc')).names).toEqual(['ábel', 'Élan', 'Mira', 'Zoë']);
  expect((await list('sortByKey=name&sortOrderBy=desc')).names).toEqual(['Zoë', 'Mira', 'Élan', 'ábel']);
});

it('the followers list pages without gaps and is empty past the end', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list(`limit=3&currentPage=${page}&totalRecords=99`)));
  expect(pages.map(({ names }) => names)).toEqual([['Élan', 'Mira', 'ábel'], ['Zoë'], []]);
  for (const { page } of pages) expect(page.totalRecords).toBe(4);
});

it('the date filter covers whole days in UTC, including both ends', async () => {
  expect((await list('startDate=2026-10-31&endDate=2026-10-31')).names).toEqual(['Mira', 'ábel']);
  expect((await list('startDate=2026-11-01')).names).toEqual(['Élan']);
  expect((await list('endDate=2026-10-30')).page).toMatchObject({ totalRecords: 1, data: [{ name: 'Zoë' }] });
  expect((await list('startDate=0001-01-01&endDate=9999-12-31')).page.totalRecords).toBe(4);
});

it('the followers list refuses invalid filters with 400, fans with 403 and visitors with 401', async () => {
  for (const query of [
    'startDate=2026-11-02&endDate=2026-11-01',
    'startDate=yesterday',
    'startDate=2026-02-30',
    'currentPage=0',
    'currentPage=1.5',
    'limit=51',
    'sortByKey=email',
    'sortByKey=followedAt',
    'sortOrderBy=random()',
  ])
    expect([query, (await creator.inject('GET', `/api/creator/followers-list?${query}`)).statusCode]).toEqual([
      query,
      400,
    ]);
  expect((await list('', other)).page).toMatchObject({ data: [], totalRecords: 0 });
  expect((await fans[0]?.inject('GET', '/api/creator/followers-list'))?.statusCode).toBe(403);
  expect((await test.inject('GET', '/api/creator/followers-list')).statusCode).toBe(401);
});

import type { Post } from '@stagedoor/contract/posts.ts';
import type { CreatorCard, Profile } from '@stagedoor/contract/profiles.ts';
import { callApi, expect, hydrated, logIn, test } from './support/fixtures.ts';
import { balanceOf, transactionsOf } from './support/money.ts';

/** Creators of other tests are in the list too. Those of the demo are verified and have a cover. */
async function demoCreators(context: Parameters<typeof callApi>[0]): Promise<CreatorCard[]> {
  const { data } = await callApi<{ data: CreatorCard[] }>(context, 'GET', '/public/creators?limit=50');
  return data.filter(({ isVerified, avatarUrl, cover }) => isVerified && avatarUrl && cover);
}

test('the demo has at least eight different creators with forty free and paid posts', async ({ open }) => {
  const { context } = await open();
  const creators = await demoCreators(context);
  expect(creators.length).toBeGreaterThanOrEqual(8);
  expect(new Set(creators.map(({ category }) => category)).size).toBeGreaterThanOrEqual(4);
  const looks = new Set<string>();
  const posts: Post[] = [];
  for (const { id } of creators) {
    const { layout, shape, format, bio } = await callApi<Profile>(context, 'GET', `/public/profile/${id}`);
    expect(bio.length).toBeGreaterThan(30);
    looks.add(`${layout} ${shape} ${format}`);
    posts.push(...(await callApi<{ data: Post[] }>(context, 'GET', `/public/posts/${id}?limit=50`)).data);
  }
  expect(looks.size).toBeGreaterThanOrEqual(3);
  expect(posts.length).toBeGreaterThanOrEqual(40);
  expect(posts.filter(({ price }) => price === 0).length).toBeGreaterThanOrEqual(8);
  expect(posts.filter(({ price }) => price > 0).length).toBeGreaterThanOrEqual(8);
  expect(posts.map(({ type }) => type)).toEqual(expect.arrayContaining(['picture', 'pictureSet']));
  for (const { media } of posts)
    for (const { alt } of media.flatMap((item) => (item.isLocked ? [] : [item.picture]))) expect(alt).not.toBe('');
});

test('demo.fan, demo.creator and demo.admin log in with the printed password', async ({ open }) => {
  for (const [username, type] of [
    ['demo.fan', 'customer'],
    ['demo.creator', 'creator'],
    ['demo.admin', 'operator'],
  ] as const) {
    const { context, page } = await open();
    await logIn(context, username);
    expect((await callApi<{ type: string }>(context, 'GET', '/auth/user')).type).toBe(type);
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Main' }).first()).toBeVisible();
  }
});

test('an operator opens their own settings, chooses a theme and logs out', async ({ open }) => {
  const { context, page } = await open();
  await logIn(context, 'demo.admin');
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible();
  await hydrated(page);
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Log out' }).last().click();
  await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible();
  await page.goto('/admin/account');
  await expect(page).toHaveURL(/\/login\?next=%2Fadmin%2Faccount/);
});

test('demo.fan has a balance and a history that matches it', async ({ open }) => {
  const { context, page } = await open();
  await logIn(context, 'demo.fan');
  expect(await balanceOf(context)).toBeGreaterThanOrEqual(500);
  const kinds = new Set((await transactionsOf(context)).map(({ type }) => type));
  for (const kind of ['deposit', 'tip', 'post'] as const) expect(kinds).toContain(kind);
  await page.goto('/fan/media');
  expect(await page.getByRole('main').getByRole('listitem').count()).toBeGreaterThan(0);
  await page.goto('/fan/feed');
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('demo.creator has earnings, and the figures are consistent', async ({ open }) => {
  const { context, page } = await open();
  await logIn(context, 'demo.creator');
  const { earnings } = await callApi<{ earnings: { total: number } }>(context, 'GET', '/creator/stats');
  expect(earnings.total).toBeGreaterThan(0);
  let sum = 0;
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const list: { data: { net: number; isReversed: boolean }[]; nextOffset?: string } = await callApi(
      context,
      'GET',
      `/creator/earnings?limit=50&offset=${offset}`,
    );
    for (const { net, isReversed } of list.data) sum += isReversed ? 0 : Math.round(net * 100);
    offset = list.nextOffset;
  }
  expect(sum / 100).toBe(earnings.total);
  await page.goto('/creator');
  await expect(page.getByRole('region', { name: 'Recently earned' }).getByRole('listitem').first()).toBeVisible();
});

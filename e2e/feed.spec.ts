import type { Page } from '@playwright/test';
import { copyPost } from './support/database.ts';
import { baseUrl, callApi, expect, expectAccessible, hydrated, type Person, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

test.use({ isSavingData: false });

const MANY = 90;

async function audience(
  person: (type: 'customer' | 'creator', options?: { width?: number }) => Promise<Person>,
  { width = 390, count = MANY } = {},
): Promise<{ maker: Person; fan: Person; first: string }> {
  const [maker, fan] = [await person('creator'), await person('customer', { width })];
  await callApi(fan.context, 'POST', `/customer/follow/${maker.id}`, { isFollowed: true });
  const first = await publish(maker.context, { caption: 'The first of all' });
  await expect
    .poll(async () => (await callApi<{ data: unknown[] }>(fan.context, 'GET', '/feed')).data.length)
    .toBeGreaterThan(0);
  if (count > 0) await copyPost(first, count, fan.username);
  return { maker, fan, first };
}

const article = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const topOf = (page: Page, name: string) =>
  article(page, name).evaluate((element) => Math.round(element.getBoundingClientRect().top));
const bar = (page: Page) => page.getByRole('status').filter({ hasText: 'New Post' });

async function readDownTo(page: Page, name: string): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, 4_000);
    await expect(article(page, name)).toBeAttached({ timeout: 300 });
  }).toPass({ timeout: 120_000, intervals: [50] });
  await article(page, name).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 60);
  await expect(async () => {
    const before = await topOf(page, name);
    await page.evaluate(async () => {
      for (let frame = 0; frame < 8; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(await topOf(page, name)).toBe(before);
  }).toPass();
}

/** Publishes a post until the page receives it, which proves that its socket is open. */
async function hears(page: Page, maker: Person, caption: string): Promise<void> {
  await expect(async () => {
    await publish(maker.context, { caption });
    await expect(article(page, caption).first()).toBeAttached({ timeout: 4_000 });
  }).toPass({ timeout: 30_000 });
}

test('the scroll position survives Back, a reload, and posts that appear and disappear above', async ({ person }) => {
  test.setTimeout(240_000);
  const { maker, fan, first } = await audience(person);
  const { page } = fan;
  await page.goto('/fan/feed');
  await hydrated(page);
  await hears(page, maker, 'Said in the beginning');
  await readDownTo(page, 'Number 44');
  const link = article(page, 'Number 44').getByRole('link', { name: 'Number 44', exact: true });
  // Scrolls the link into view, so that the click does not scroll.
  await link.hover();
  const place = await topOf(page, 'Number 44');
  const isNear = async (tolerance = 2) =>
    expect(Math.abs((await topOf(page, 'Number 44')) - place)).toBeLessThanOrEqual(tolerance);

  await link.click();
  await expect(page).toHaveURL(/\/post\//);
  await page.goBack();
  await expect(article(page, 'Number 44')).toBeInViewport();
  await expect(() => isNear()).toPass();

  // After a reload the browser only restores the height, and the page restores the post.
  await page.reload();
  await expect(article(page, 'Number 44')).toBeInViewport({ timeout: 30_000 });
  await expect(() => isNear()).toPass();

  await hydrated(page);
  await expect(async () => {
    await publish(maker.context, { caption: 'News from above' });
    await expect(article(page, 'News from above').first()).toBeAttached({ timeout: 4_000 });
  }).toPass({ timeout: 30_000 });
  await expect(() => isNear()).toPass();
  await callApi(maker.context, 'DELETE', `/post/${first}`);
  await expect(article(page, 'The first of all')).toHaveCount(0);
  await expect(() => isNear()).toPass();
  await expect(bar(page)).toBeVisible();
  await bar(page).getByRole('button', { name: 'Top' }).click();
  await expect(article(page, 'News from above').first()).toBeInViewport();
});

test('the scroll position is stable without the browser’s scroll anchoring', async ({ person }) => {
  const { maker, fan } = await audience(person, { count: 40 });
  const { page } = fan;
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...given: [string, string?]) =>
      given[0] !== 'overflow-anchor' && supports(...(given as [string, string]));
    addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('overflow-anchor', 'none'));
  });
  await page.goto('/fan/feed');
  await hydrated(page);
  await hears(page, maker, 'Said in the beginning');
  await readDownTo(page, 'Number 6');
  const place = await topOf(page, 'Number 6');
  await publish(maker.context, { caption: 'News from above' });
  await expect(article(page, 'News from above').first()).toBeAttached();
  await expect(async () => expect(Math.abs((await topOf(page, 'Number 6')) - place)).toBeLessThanOrEqual(2)).toPass();
});

test('only posts near the window are laid out', async ({ person }) => {
  test.setTimeout(240_000);
  const { fan } = await audience(person, { width: 1440 });
  const { page } = fan;
  await page.goto('/fan/feed');
  await hydrated(page);
  await readDownTo(page, `Number ${MANY}`);
  await expect(page.getByText(/^You have seen everything since /)).toBeVisible();
  expect(await page.getByRole('article').count()).toBeGreaterThan(MANY);
  const laidOut = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('article')];
      return all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length / all.length;
    });
  await expect.poll(laidOut).toBeLessThan(0.2);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(laidOut).toBeLessThan(0.2);
});

test('the New Post bar shows past 200 px, at most 300 px wide, closes, and exists only at home and in the feed', async ({
  person,
}) => {
  test.setTimeout(90_000);
  const { maker, fan } = await audience(person, { count: 30 });
  const { page } = fan;
  await page.goto('/fan/feed');
  await hydrated(page);
  await hears(page, maker, 'Said in the beginning');
  await expect(bar(page)).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, 201));
  await page.evaluate(() => scrollTo(0, 1_500));
  const news = async () => {
    const before = await page.getByRole('article', { name: 'More news' }).count();
    await publish(maker.context, { caption: 'More news' });
    await expect(page.getByRole('article', { name: 'More news' })).toHaveCount(before + 1);
  };
  await news();
  await expect(bar(page)).toBeVisible();
  expect((await bar(page).boundingBox())?.width).toBeLessThanOrEqual(300);
  await bar(page).getByRole('button', { name: 'Close' }).click();
  await expect(bar(page)).toHaveCount(0);

  await news();
  await expect(bar(page)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 200));
  await expect(bar(page)).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, 1_500));
  await expect(bar(page)).toHaveCount(0);

  await news();
  await bar(page).getByRole('button', { name: 'Top' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(page.locator('#main')).toBeFocused();

  for (const [path, count] of [
    ['/', 1],
    ['/fan/wallet', 0],
  ] as const) {
    await page.goto(path);
    await hydrated(page);
    await page.evaluate(() => {
      document.body.style.minHeight = '4000px';
      scrollTo(0, 900);
    });
    await expect(async () => {
      await publish(maker.context, { caption: 'Elsewhere' });
      await expect(bar(page)).toHaveCount(count, { timeout: 3_000 });
    }).toPass({ timeout: 30_000 });
  }
});

test('each filter by type has its own address, and an empty one links back', async ({ person }) => {
  const { maker, fan } = await audience(person, { count: 0 });
  await publish(maker.context, { caption: 'A pair', pictures: 2 });
  const { page } = fan;
  await page.goto('/fan/feed');
  await expect(article(page, 'A pair')).toBeVisible();
  const kinds = page.getByRole('navigation', { name: 'Kind of media' }).or(page.getByLabel('Kind of media'));
  for (const [word, type, names] of [
    ['Photos', 'picture', ['The first of all']],
    ['Sets', 'pictureSet', ['A pair']],
    ['Videos', 'video', []],
    ['Audio', 'audio', []],
  ] as const) {
    await kinds.getByRole('link', { name: word, exact: true }).click();
    await expect(page).toHaveURL(`${baseUrl()}/fan/feed?type=${type}`);
    await expect(kinds.getByRole('link', { name: word, exact: true })).toHaveAttribute('aria-current', /true|page/);
    await expect(page.getByRole('article')).toHaveCount(names.length);
    for (const name of names) await expect(article(page, name)).toBeVisible();
    if (names.length === 0) await expect(page.getByRole('link', { name: 'See everything' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'See everything' }).click();
  await expect(page.getByRole('article')).toHaveCount(2);
});

test('the marker separates posts that are new since the last visit', async ({ person }) => {
  const { maker, fan } = await audience(person, { count: 3 });
  const { page, context } = fan;
  const marker = (where: Page) => where.getByText('You’re caught up. From here on, you have seen it.');
  await page.goto('/fan/feed');
  await hydrated(page);
  await expect(article(page, 'The first of all')).toBeVisible();
  await expect(marker(page)).toHaveCount(0);
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('feedSeen:'))))
    .toBe(true);
  await page.close();
  await publish(maker.context, { caption: 'While you were away' });
  const again = await context.newPage();
  await again.goto('/fan/feed');
  await expect(marker(again)).toBeVisible();
  const [newer, mark, older] = await Promise.all(
    [article(again, 'While you were away'), marker(again), article(again, 'The first of all')].map(
      async (place) => (await place.boundingBox())?.y ?? 0,
    ),
  );
  expect([newer, mark, older].toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([newer, mark, older]);
  await expectAccessible(again);
});

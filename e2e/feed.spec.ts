import type { Page } from '@playwright/test';
import { copyPost } from './support/database.ts';
import { type ApiClient, baseUrl, callApi, expect, hydrated, type Person, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';
import { socketConnected } from './support/socket.ts';

type Maker = { id: string; context: ApiClient };

async function audience(maker: Maker, fan: Person, count: number): Promise<string> {
  await callApi(fan.context, 'POST', `/customer/follow/${maker.id}`, { isFollowed: true });
  const first = await publish(maker.context, { caption: 'The first of all' });
  await expect
    .poll(async () => (await callApi<{ data: unknown[] }>(fan.context, 'GET', '/feed')).data.length)
    .toBeGreaterThan(0);
  await copyPost(first, count, fan.username);
  return first;
}

/** Opens a page and waits until it receives events. */
async function openLive(page: Page, open: () => Promise<unknown>): Promise<void> {
  const connected = socketConnected(page);
  await open();
  await hydrated(page);
  await connected;
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

test('the scroll position survives Back, a reload, and posts that appear and disappear above, and only posts near the window are laid out', async ({
  apiUser,
  person,
}) => {
  test.setTimeout(240_000);
  const [maker, fan] = [await apiUser('creator'), await person('customer', { width: 390 })];
  const first = await audience(maker, fan, 60);
  const { page } = fan;
  await page.goto('/fan/feed');
  await hydrated(page);
  await readDownTo(page, 'Number 44');
  const laidOut = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('article')];
      return all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length / all.length;
    });
  await expect.poll(laidOut).toBeLessThan(0.2);
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
  await openLive(page, () => page.reload());
  await expect(article(page, 'Number 44')).toBeInViewport({ timeout: 30_000 });
  await expect(() => isNear()).toPass();

  await publish(maker.context, { caption: 'News from above' });
  await expect(article(page, 'News from above')).toBeAttached();
  await expect(() => isNear()).toPass();
  await callApi(maker.context, 'DELETE', `/post/${first}`);
  await expect(article(page, 'The first of all')).toHaveCount(0);
  await expect(() => isNear()).toPass();

  // From here on the browser does not anchor the scroll position, as in Safari.
  await page.evaluate(() => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...given: [string, string?]) =>
      given[0] !== 'overflow-anchor' && supports(...(given as [string, string]));
    document.documentElement.style.setProperty('overflow-anchor', 'none');
  });
  await publish(maker.context, { caption: 'More from above' });
  await expect(article(page, 'More from above')).toBeAttached();
  await expect(() => isNear()).toPass();
  await expect(bar(page)).toBeVisible();
  await bar(page).getByRole('button', { name: 'Top' }).click();
  await expect(article(page, 'More from above')).toBeInViewport();
});

test('the New Post bar shows past 200 px, at most 300 px wide, closes, opens the post, and is also at home', async ({
  apiUser,
  person,
}) => {
  test.setTimeout(90_000);
  const [maker, fan] = [await apiUser('creator'), await person('customer', { width: 390 })];
  await audience(maker, fan, 8);
  const { page } = fan;
  await openLive(page, () => page.goto('/fan/feed'));
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

  await page.evaluate(() => scrollTo(0, 1_500));
  await news();
  await bar(page).getByRole('link', { name: 'New Post' }).click();
  await expect(page).toHaveURL(/\/post\//);
  await expect(page.getByRole('heading', { level: 1, name: 'More news' })).toBeVisible();

  await page.getByRole('link', { name: 'Stagedoor, home' }).first().click();
  await expect(page).toHaveURL(/\/fan$/);
  await expect(page.getByRole('link', { name: /More news/ }).first()).toBeVisible();
  await page.getByRole('region', { name: 'You might like' }).getByRole('link', { name: 'All', exact: true }).click();
  await expect(page).toHaveURL(`${baseUrl()}/`);
  await expect(async () => {
    await page.evaluate(() => {
      document.body.style.minHeight = '4000px';
      scrollTo(0, 900);
    });
    await publish(maker.context, { caption: 'Elsewhere' });
    await expect(bar(page)).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
});

test('each filter by type has its own address, an empty one links back, and a marker separates what is new since the last visit', async ({
  apiUser,
  person,
}) => {
  const [maker, fan] = [await apiUser('creator'), await person('customer', { width: 390 })];
  await audience(maker, fan, 3);
  await publish(maker.context, { caption: 'A pair', pictures: 2 });
  const { page, context } = fan;
  const marker = (where: Page) => where.getByText('You’re all caught up');
  await page.goto('/fan/feed');
  await hydrated(page);
  await expect(article(page, 'A pair')).toBeVisible();
  await expect(marker(page)).toHaveCount(0);
  await expect(page.getByText(/^You’ve seen all posts since /)).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('feedSeen:'))))
    .toBe(true);

  const kinds = page.getByRole('navigation', { name: 'Media type' }).or(page.getByLabel('Media type'));
  for (const [word, type, count] of [
    ['Albums', 'pictureSet', 1],
    ['Videos', 'video', 0],
  ] as const) {
    await kinds.getByRole('link', { name: word, exact: true }).click();
    await expect(page).toHaveURL(`${baseUrl()}/fan/feed?type=${type}`);
    await expect(kinds.getByRole('link', { name: word, exact: true })).toHaveAttribute('aria-current', /true|page/);
    await expect(page.getByRole('article')).toHaveCount(count);
    if (count > 0) await expect(article(page, 'A pair')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Show all posts' }).click();
  await expect(page.getByRole('article')).toHaveCount(5);

  await page.close();
  await publish(maker.context, { caption: 'While you were away' });
  const again = await context.newPage();
  await again.goto('/fan/feed');
  await expect(marker(again)).toBeVisible();
  const [newer, mark, older] = await Promise.all(
    [article(again, 'While you were away'), marker(again), article(again, 'A pair')].map(
      async (where) => (await where.boundingBox())?.y ?? 0,
    ),
  );
  expect([newer, mark, older].toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([newer, mark, older]);
});

import type { Page } from '@playwright/test';
import { copyPost } from './support/database.ts';
import {
  type ApiClient,
  type BrowserUser,
  callApi,
  expect,
  getBaseUrl,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';
import { waitForSocket } from './support/socket.ts';

type FeedCreator = { id: string; context: ApiClient };

async function createFeed(creator: FeedCreator, fan: BrowserUser, count: number): Promise<string> {
  await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  const first = await publishPictures(creator.context, { caption: 'The first of all' });
  await expect
    .poll(async () => (await callApi<{ data: unknown[] }>(fan.context, 'GET', '/feed')).data.length)
    .toBeGreaterThan(0);
  await copyPost(first, count, fan.username);
  return first;
}

/** Opens a page and waits until it receives events. */
async function openConnected(page: Page, open: () => Promise<unknown>): Promise<void> {
  const connected = waitForSocket(page);
  await open();
  await waitForHydration(page);
  await connected;
}

const getArticle = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const getTop = (page: Page, name: string) =>
  getArticle(page, name).evaluate((element) => Math.round(element.getBoundingClientRect().top));
const getNewPostBar = (page: Page) => page.getByRole('status').filter({ hasText: 'New Post' });

async function scrollToPost(page: Page, name: string): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, 4_000);
    await expect(getArticle(page, name)).toBeAttached({ timeout: 300 });
  }).toPass({ timeout: 120_000, intervals: [50] });
  await getArticle(page, name).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 60);
  await expect(async () => {
    const before = await getTop(page, name);
    await page.evaluate(async () => {
      for (let frame = 0; frame < 8; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(await getTop(page, name)).toBe(before);
  }).toPass();
}

test('the scroll position survives Back, a reload, and posts that appear and disappear above, and only posts near the window are laid out', async ({
  createApiUser,
  createUser,
}) => {
  test.setTimeout(240_000);
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { width: 390 })];
  const first = await createFeed(creator, fan, 60);
  const { page } = fan;
  await page.goto('/fan/feed');
  await waitForHydration(page);
  await scrollToPost(page, 'Number 44');
  const getLaidOutShare = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('article')];
      return all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length / all.length;
    });
  await expect.poll(getLaidOutShare).toBeLessThan(0.2);
  const link = getArticle(page, 'Number 44').getByRole('link', { name: 'Number 44', exact: true });
  // Scrolls the link into view, so that the click does not scroll.
  await link.hover();
  const initialTop = await getTop(page, 'Number 44');
  const expectNear = async (tolerance = 2) =>
    expect(Math.abs((await getTop(page, 'Number 44')) - initialTop)).toBeLessThanOrEqual(tolerance);

  await link.click();
  await expect(page).toHaveURL(/\/post\//);
  await page.goBack();
  await expect(getArticle(page, 'Number 44')).toBeInViewport();
  await expect(() => expectNear()).toPass();

  // After a reload the browser only restores the height, and the page restores the post.
  await openConnected(page, () => page.reload());
  await expect(getArticle(page, 'Number 44')).toBeInViewport({ timeout: 30_000 });
  await expect(() => expectNear()).toPass();

  await publishPictures(creator.context, { caption: 'News from above' });
  await expect(getArticle(page, 'News from above')).toBeAttached();
  await expect(() => expectNear()).toPass();
  await callApi(creator.context, 'DELETE', `/post/${first}`);
  await expect(getArticle(page, 'The first of all')).toHaveCount(0);
  await expect(() => expectNear()).toPass();

  // From here on the browser does not anchor the scroll position, as in Safari.
  await page.evaluate(() => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...args: [string, string?]) =>
      args[0] !== 'overflow-anchor' && supports(...(args as [string, string]));
    document.documentElement.style.setProperty('overflow-anchor', 'none');
  });
  await publishPictures(creator.context, { caption: 'More from above' });
  await expect(getArticle(page, 'More from above')).toBeAttached();
  await expect(() => expectNear()).toPass();
  await expect(getNewPostBar(page)).toBeVisible();
  await getNewPostBar(page).getByRole('button', { name: 'Top' }).click();
  await expect(getArticle(page, 'More from above')).toBeInViewport();
});

test('the New Post bar shows past 200 px, at most 300 px wide, closes, opens the post, and is also at home', async ({
  createApiUser,
  createUser,
}) => {
  test.setTimeout(90_000);
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { width: 390 })];
  await createFeed(creator, fan, 8);
  const { page } = fan;
  const frames: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
  await openConnected(page, () => page.goto('/fan/feed'));
  await expect(getNewPostBar(page)).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, 201));
  await page.evaluate(() => scrollTo(0, 1_500));
  const publishNews = async () => {
    const before = await page.getByRole('article', { name: 'More news' }).count();
    await publishPictures(creator.context, { caption: 'More news' });
    await expect(page.getByRole('article', { name: 'More news' })).toHaveCount(before + 1);
  };
  await publishNews();
  await expect(getNewPostBar(page)).toBeVisible();
  expect((await getNewPostBar(page).boundingBox())?.width).toBeLessThanOrEqual(300);
  await getNewPostBar(page).getByRole('button', { name: 'Close' }).click();
  await expect(getNewPostBar(page)).toHaveCount(0);

  await publishNews();
  await expect(getNewPostBar(page)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 200));
  await expect(getNewPostBar(page)).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, 1_500));
  await expect(getNewPostBar(page)).toHaveCount(0);

  await publishNews();
  await getNewPostBar(page).getByRole('button', { name: 'Top' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(page.locator('#main')).toBeFocused();

  await page.evaluate(() => scrollTo(0, 1_500));
  await publishNews();
  await getNewPostBar(page).getByRole('link', { name: 'New Post' }).click();
  await expect(page).toHaveURL(/\/post\//);
  await expect(page.getByRole('heading', { level: 1, name: 'More news' })).toBeVisible();

  await page.getByRole('link', { name: 'Stagedoor, home' }).first().click();
  await expect(page).toHaveURL(/\/fan$/);
  await expect(page.getByRole('link', { name: /More news/ }).first()).toBeVisible();
  await page.getByRole('region', { name: 'You might like' }).getByRole('link', { name: 'All', exact: true }).click();
  await expect(page).toHaveURL(`${getBaseUrl()}/`);
  await expect(async () => {
    await page.evaluate(() => {
      document.body.style.minHeight = '4000px';
      scrollTo(0, 900);
    });
    await publishPictures(creator.context, { caption: 'Elsewhere' });
    await expect(getNewPostBar(page)).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  // The bar links to the newest post of all, and tests that run at the same time publish posts too.
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, 0));
    await expect(getNewPostBar(page)).toHaveCount(0);
    const id = await publishPictures(creator.context, { caption: 'While at the top' });
    await expect
      .poll(() => frames.some((frame) => frame.includes('PUBLIC_POST_FEED') && frame.includes(id)))
      .toBe(true);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(getNewPostBar(page)).toHaveCount(0);
    await page.evaluate(() => scrollTo(0, 900));
    await expect(getNewPostBar(page).getByRole('link')).toHaveAttribute('href', new RegExp(id), { timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
});

test('each filter by type has its own address, an empty one links back, and a marker separates what is new since the last visit', async ({
  createApiUser,
  createUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { width: 390 })];
  await createFeed(creator, fan, 3);
  await publishPictures(creator.context, { caption: 'A pair', pictures: 2 });
  const { page, context } = fan;
  const getMarker = (target: Page) => target.getByText('You’re all caught up');
  await page.goto('/fan/feed');
  await waitForHydration(page);
  await expect(getArticle(page, 'A pair')).toBeVisible();
  await expect(getMarker(page)).toHaveCount(0);
  await expect(page.getByText(/^You’ve seen all posts since /)).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('feedSeen:'))))
    .toBe(true);

  const kinds = page.getByRole('navigation', { name: 'Media type' }).or(page.getByLabel('Media type'));
  for (const [label, type, count] of [
    ['Albums', 'pictureSet', 1],
    ['Videos', 'video', 0],
  ] as const) {
    await kinds.getByRole('link', { name: label, exact: true }).click();
    await expect(page).toHaveURL(`${getBaseUrl()}/fan/feed?type=${type}`);
    await expect(kinds.getByRole('link', { name: label, exact: true })).toHaveAttribute('aria-current', /true|page/);
    await expect(page.getByRole('article')).toHaveCount(count);
    if (count > 0) await expect(getArticle(page, 'A pair')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Show all posts' }).click();
  await expect(page.getByRole('article')).toHaveCount(5);

  await page.close();
  await publishPictures(creator.context, { caption: 'While you were away' });
  const secondPage = await context.newPage();
  await secondPage.goto('/fan/feed');
  await expect(getMarker(secondPage)).toBeVisible();
  const [newer, mark, older] = await Promise.all(
    [getArticle(secondPage, 'While you were away'), getMarker(secondPage), getArticle(secondPage, 'A pair')].map(
      async (target) => (await target.boundingBox())?.y ?? 0,
    ),
  );
  expect([newer, mark, older].toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([newer, mark, older]);
});

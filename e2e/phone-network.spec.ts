import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { bubbles, converse, field, fillThread, settled, write } from './support/chat.ts';
import { makeTower, uploadFile } from './support/films.ts';
import { baseUrl, callApi, expect, hydrated, test } from './support/fixtures.ts';

test.use({ isSavingData: false });

const tab = (page: Page, name: string) => page.locator('.tabbar').getByRole('link', { name });
const strip = (page: Page) => page.locator('.strip');

async function hold(context: BrowserContext, path: RegExp): Promise<() => void> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await context.route(
    (url) => path.test(url.pathname),
    async (route) => {
      await opened;
      await route.continue();
    },
  );
  return open;
}

/** Marks the document. Returns whether the mark is still there, which a new document would not have. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => document.body.setAttribute('data-same', ''));
  return () => page.evaluate(() => document.body.hasAttribute('data-same'));
}

async function expectReachable(page: Page, name: string): Promise<void> {
  const button = page.getByRole('link', { name });
  await expect(button).toBeVisible();
  expect(
    await button.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }),
  ).toBe(true);
}

test('an offline tap on a tab keeps the page, says so, and opens the tab when the network returns', async ({
  person,
}) => {
  const phone = await person('customer', { isPhone: true });
  const { page, context } = phone;
  await context.route(/\/assets\/wallet-[\w-]+\.js/, (route) => route.abort());
  await page.goto('/');
  await hydrated(page);
  const isSame = await mark(page);
  await context.setOffline(true);
  await tab(page, 'Wallet').tap();
  await expect(strip(page)).toContainText('You’re offline. That page opens once you’re back.');
  await expect(tab(page, 'Wallet')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  await tab(page, 'Home').tap();
  await expect(page.getByRole('main').getByRole('searchbox')).toBeVisible();
  await tab(page, 'Wallet').tap();
  await context.unroute(/\/assets\/wallet-[\w-]+\.js/);
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.getByRole('link', { name: 'Add funds' }).first()).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  expect(await isSame()).toBe(true);
});

test('a page of an older release is reloaded, but not while the server cannot be reached', async ({ person }) => {
  const { page, context } = await person('customer', { isPhone: true });
  const code = /\/assets\/wallet-[\w-]+\.js/;
  const probe = '**/healthz';
  let asked = 0;
  await context.route(code, (route) => route.fulfill({ status: 404 }));
  await context.route(probe, (route) => {
    asked += 1;
    return route.abort();
  });
  await page.goto('/fan');
  await hydrated(page);
  const isSame = await mark(page);
  await tab(page, 'Wallet').tap();
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  await expect.poll(() => asked).toBeGreaterThan(4);
  expect(await isSame()).toBe(true);
  // The new release has the same file names here, so loading the document is enough.
  page.once('framenavigated', () => void context.unroute(code));
  await context.unroute(probe);
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.getByRole('link', { name: 'Add funds' }).first()).toBeVisible();
  expect(await isSame()).toBe(false);
});

test('a lost connection shows a strip that covers nothing and disappears when the connection is back', async ({
  person,
}) => {
  test.setTimeout(90_000);
  const creator = await person('creator');
  const fan = await person('customer', { isPhone: true });
  const id = await converse(fan, creator);
  const { page, context } = fan;
  let [isDown, hasTold] = [false, false];
  const open = new Set<() => void>();
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isDown) return void setTimeout(() => void socket.close(), 50);
    const server = socket.connectToServer();
    server.onMessage((message) => {
      hasTold ||= String(message).startsWith('40');
      socket.send(message);
    });
    open.add(() => void socket.close());
  });
  await context.route('**/socket.io/**', (route) => (isDown ? route.abort() : route.fallback()));
  await page.goto(`/fan/chat/${id}`);
  await settled(page);
  await expect.poll(() => hasTold).toBe(true);
  isDown = true;
  for (const close of open) close();
  await expect(strip(page)).toHaveText('Reconnecting…');
  await expectReachable(page, 'Back to chats');
  isDown = false;
  // A hanging attempt times out after 20 s.
  await expect(strip(page)).toHaveCount(0, { timeout: 40_000 });
  await context.setOffline(true);
  await expect(strip(page)).toContainText('You’re offline.');
  await expectReachable(page, 'Back to chats');
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
});

test('a tap on a tab responds before any part of its page is loaded', async ({ person }) => {
  const { page, context } = await person('customer', { isPhone: true });
  const letThrough = await hold(context, /\/assets\/wallet-/);
  await page.goto('/fan');
  await hydrated(page);
  await tab(page, 'Wallet').tap();
  await expect(tab(page, 'Wallet')).toHaveAttribute('aria-current', 'page');
  await expect(tab(page, 'Home')).not.toHaveAttribute('aria-current');
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  await expect(page.locator('[data-coming] .skeleton').first()).toBeAttached();
  letThrough();
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.locator('[data-coming]')).toHaveCount(0);
});

test('a conversation opens with its name, Back and text field before its messages are loaded', async ({ person }) => {
  const creator = await person('creator');
  const fan = await person('customer', { isPhone: true });
  const id = await converse(fan, creator);
  const { page, context } = fan;
  const letThrough = await hold(context, /\/assets\/chat-thread-|\/api\/message\//);
  await page.goto('/fan/chat');
  await hydrated(page);
  await page.locator('.talk-row').getByRole('link', { name: creator.username }).tap();
  await expect(page.getByRole('heading', { level: 1, name: creator.username })).toBeVisible();
  await expectReachable(page, 'Back to chats');
  await expect(field(page)).toBeVisible();
  await expect(page.locator('.tabbar')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to chats' }).tap();
  await expect(page.locator('.talk-row')).toBeVisible();
  await page.locator('.talk-row').getByRole('link', { name: creator.username }).tap();
  letThrough();
  await expect(page).toHaveURL(new RegExp(`/fan/chat/${id}$`));
  await expect(page.locator('.conv__scroll').getByText('Good evening.')).toBeVisible();
});

test('“Try again?” loads the page without a new document', async ({ person }) => {
  const creator = await person('creator');
  const { page, context } = await person('customer', { isPhone: true });
  await page.goto('/');
  await hydrated(page);
  const isSame = await mark(page);
  const asked = `**/api/public/profile/${creator.username}`;
  await context.route(asked, (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'No.' } }));
  await page.evaluate((to) => history.pushState(null, '', to), `/profile/${creator.username}`);
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await expect(page.getByText('Oops, there is an error!')).toBeVisible();
  await context.unroute(asked);
  await page.getByRole('button', { name: 'Try again?' }).tap();
  await expect(page.getByRole('heading', { level: 1, name: creator.username })).toBeVisible();
  expect(await isSame()).toBe(true);
  expect(page.url()).toBe(`${baseUrl()}/profile/${creator.username}`);
  // After a rendering error, the retry requests the page again instead of reusing the response.
  await page.goto('/');
  await hydrated(page);
  await context.route(asked, (route) => route.fulfill({ json: {} }));
  await page.evaluate((to) => history.pushState(null, '', to), `/profile/${creator.username}`);
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await expect(page.getByText('Oops, there is an error!')).toBeVisible();
  await context.unroute(asked);
  await page.getByRole('button', { name: 'Try again?' }).tap();
  await expect(page.getByRole('heading', { level: 1, name: creator.username })).toBeVisible();
});

test('an open thread keeps its scroll position after a reload', async ({ person }) => {
  const creator = await person('creator');
  const fan = await person('customer', { isPhone: true });
  const id = await converse(fan, creator);
  await fillThread(id, 240);
  const { page } = fan;
  await page.goto(`/fan/chat/${id}`);
  await settled(page);
  const scroll = page.locator('.conv__scroll');
  const message = (number: number) =>
    scroll.locator('.msg').filter({ hasText: new RegExp(`Message ${number}(?!\\d)`) });
  await expect(async () => {
    await scroll.evaluate((element) => element.scrollBy(0, -1_500));
    await expect(message(120)).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  const topOf = async () => (await message(120).boundingBox())?.y;
  let before = await topOf();
  await expect(async () => {
    const earlier = before;
    await page.waitForLoadState('networkidle');
    before = await topOf();
    expect(before).toBe(earlier);
  }).toPass();
  await page.reload();
  await settled(page);
  await expect(message(120)).toBeVisible();
  await expect.poll(async () => Math.abs(((await topOf()) ?? 0) - (before ?? 0))).toBeLessThan(2);
  await write(creator.context, id, 'Still there?');
  await expect(page.getByRole('button', { name: /new|Latest/ })).toBeVisible();
  await expect(message(120)).toBeVisible();
});

test('a failed second attempt does not show the success message of the first', async ({ open }) => {
  const { page, context } = await open({ isPhone: true });
  await page.goto('/forgot-password');
  await hydrated(page);
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByRole('button', { name: 'Send me a link' }).tap();
  await expect(page.getByText('on its way')).toBeVisible();
  await context.route('**/api/auth/forgot-password', (route) => route.abort());
  await page
    .getByRole('button', { name: 'Send it again' })
    .or(page.getByRole('button', { name: 'Send me a link' }))
    .tap();
  await expect(page.getByText('We could not reach Stagedoor.')).toBeVisible();
  await expect(page.getByText('on its way')).toHaveCount(0);
});

test('a picture reserves its space while it is processed, so that the buttons below do not move', async ({
  person,
}) => {
  const creator = await person('creator');
  const fan = await person('customer', { isPhone: true });
  const id = await converse(fan, creator);
  await fan.page.goto(`/fan/chat/${id}`);
  await settled(fan.page);
  const mediaId = await uploadFile(creator.context, await makeTower(), 'tower.png', 'image/png');
  await callApi(creator.context, 'POST', '/message/media', {
    ...{ conversationId: id, clientId: randomUUID(), text: '', price: 8, isViewOnce: false },
    mediaIds: [mediaId],
  });
  const bubble = bubbles(fan.page).last();
  await expect(bubble.getByText('Being prepared')).toBeVisible();
  const before = await bubble.boundingBox();
  await expect(bubble.getByText('Being prepared')).toHaveCount(0, { timeout: 40_000 });
  await expect(bubble.getByText('Photo', { exact: true }).first()).toBeVisible();
  expect((await bubble.boundingBox())?.height).toBe(before?.height);
});

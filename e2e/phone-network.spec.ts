import type { BrowserContext, Page, Route } from '@playwright/test';
import { converse, field, fillThread, settled, write } from './support/chat.ts';
import { baseUrl, expect, hydrated, signUp, test } from './support/fixtures.ts';

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

test('an offline tap on a tab responds at once and opens it when the network returns, and an older release is reloaded', async ({
  person,
}) => {
  const { page, context } = await person('customer', { isPhone: true });
  const code = /\/assets\/wallet-[\w-]+\.js/;
  await context.route(code, (route) => route.abort());
  await page.goto('/');
  await hydrated(page);
  const isSame = await mark(page);
  await context.setOffline(true);
  await tab(page, 'Wallet').tap();
  await expect(strip(page)).toContainText('You’re offline. This page will open when you’re back online.');
  await expect(tab(page, 'Wallet')).toHaveAttribute('aria-current', 'page');
  await expect(tab(page, 'Home')).not.toHaveAttribute('aria-current');
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  await expect(page.locator('[data-coming] .skeleton').first()).toBeAttached();
  await tab(page, 'Home').tap();
  await expect(page.getByRole('main').getByRole('searchbox')).toBeVisible();
  await tab(page, 'Wallet').tap();
  await context.unroute(code);
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.getByRole('link', { name: 'Add funds' }).first()).toBeVisible();
  await expect(page.locator('[data-coming]')).toHaveCount(0);
  await expect(strip(page)).toHaveCount(0);
  expect(await isSame()).toBe(true);

  const probe = '**/healthz';
  let asked = 0;
  await context.route(code, (route) => route.fulfill({ status: 404 }));
  await context.route(probe, (route) => {
    asked += 1;
    return route.abort();
  });
  await page.goto('/fan');
  await hydrated(page);
  const isStillSame = await mark(page);
  await tab(page, 'Wallet').tap();
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  // Three failures while the server responds would reload the page.
  await expect.poll(() => asked).toBeGreaterThan(3);
  expect(await isStillSame()).toBe(true);
  // The new release has the same file names here, so loading the document is enough.
  page.once('framenavigated', () => void context.unroute(code));
  await context.unroute(probe);
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.getByRole('link', { name: 'Add funds' }).first()).toBeVisible();
  expect(await isStillSame()).toBe(false);
});

test('a conversation opens before its messages are loaded, and the strip of a lost connection covers nothing', async ({
  person,
  apiUser,
}) => {
  const creator = await apiUser('creator');
  const fan = await person('customer', { isPhone: true });
  const id = await converse(fan, creator);
  const { page, context } = fan;
  let [network, hasTold] = [Promise.resolve(), false];
  const open = new Set<() => void>();
  await page.routeWebSocket(/socket\.io/, async (socket) => {
    await network;
    const server = socket.connectToServer();
    server.onMessage((message) => {
      hasTold ||= String(message).startsWith('40');
      socket.send(message);
    });
    open.add(() => void socket.close());
  });
  const letThrough = await hold(context, /\/assets\/chat-thread-|\/api\/message\//);
  await page.goto('/fan/chat');
  await hydrated(page);
  const conversation = page.locator('.talk-row').getByRole('link', { name: creator.username });
  await conversation.tap();
  await expect(page.getByRole('heading', { level: 1, name: creator.username })).toBeVisible();
  await expectReachable(page, 'Back to chats');
  await expect(field(page)).toBeVisible();
  await expect(page.locator('.tabbar')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to chats' }).tap();
  await expect(page.locator('.talk-row')).toBeVisible();
  await conversation.tap();
  letThrough();
  await expect(page).toHaveURL(new RegExp(`/fan/chat/${id}$`));
  await expect(page.locator('.conv__scroll').getByText('Good evening.')).toBeVisible();

  await expect.poll(() => hasTold).toBe(true);
  const returned = Promise.withResolvers<void>();
  network = returned.promise;
  for (const close of open) close();
  await expect(strip(page)).toHaveText('Reconnecting…');
  await expectReachable(page, 'Back to chats');
  returned.resolve();
  await expect(strip(page)).toHaveCount(0);
  await context.setOffline(true);
  await expect(strip(page)).toContainText('You’re offline.');
  await expectReachable(page, 'Back to chats');
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
});

test('“Try again?” loads a failed page without a new document, and loads a new document after a rendering error', async ({
  person,
}) => {
  const [first, second] = [await signUp('creator'), await signUp('creator')];
  const { page, context } = await person('customer', { isPhone: true });
  await page.goto('/');
  await hydrated(page);
  const isSame = await mark(page);
  const open = async (username: string, answer: (route: Route) => Promise<void>) => {
    const asked = `**/api/public/profile/${username}`;
    await context.route(asked, answer);
    await page.evaluate((to) => history.pushState(null, '', to), `/profile/${username}`);
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    await expect(page.getByText('Oops, there is an error!')).toBeVisible();
    await context.unroute(asked);
    await page.getByRole('button', { name: 'Try again?' }).tap();
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
    expect(page.url()).toBe(`${baseUrl()}/profile/${username}`);
  };
  await open(first.username, (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'No.' } }));
  expect(await isSame()).toBe(true);
  await open(second.username, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), totalPostCount: null } });
  });
  expect(await isSame()).toBe(false);
});

test('an open thread keeps its scroll position after a reload', async ({ person, apiUser }) => {
  const creator = await apiUser('creator');
  const fan = await person('customer', { isPhone: true });
  const id = await converse(fan, creator);
  await fillThread(id, 120);
  const { page } = fan;
  await page.goto(`/fan/chat/${id}`);
  await settled(page);
  const scroll = page.locator('.conv__scroll');
  const message = (number: number) =>
    scroll.locator('.msg').filter({ hasText: new RegExp(`Message ${number}(?!\\d)`) });
  await expect(async () => {
    await scroll.evaluate((element) => element.scrollBy(0, -1_000));
    await expect(message(50)).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 30_000, intervals: [50] });
  const topOf = async () => (await message(50).boundingBox())?.y;
  let before = await topOf();
  await expect(async () => {
    const earlier = before;
    await page.waitForLoadState('networkidle');
    before = await topOf();
    expect(before).toBe(earlier);
  }).toPass();
  await page.reload();
  await settled(page);
  await expect(message(50)).toBeVisible();
  await expect.poll(async () => Math.abs(((await topOf()) ?? 0) - (before ?? 0))).toBeLessThan(2);
  await write(creator.context, id, 'Still there?');
  await expect(page.getByRole('button', { name: /new|Latest/ })).toBeVisible();
  await expect(message(50)).toBeVisible();
});

test('a failed second attempt does not show the success message of the first', async ({ open }) => {
  const { page, context } = await open({ isPhone: true });
  await page.goto('/forgot-password');
  await hydrated(page);
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByRole('button', { name: 'Send reset link' }).tap();
  await expect(page.getByText('sent a reset link')).toBeVisible();
  await context.route('**/api/auth/forgot-password', (route) => route.abort());
  await page
    .getByRole('button', { name: 'Resend link' })
    .or(page.getByRole('button', { name: 'Send reset link' }))
    .tap();
  await expect(page.getByText('Can’t connect.')).toBeVisible();
  await expect(page.getByText('sent a reset link')).toHaveCount(0);
});

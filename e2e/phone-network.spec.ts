import type { BrowserContext, Page, Route } from '@playwright/test';
import { fillThread, getMessageField, sendTextMessage, startConversation, waitForThread } from './support/chat.ts';
import { createConfirmedAccount, expect, getBaseUrl, test, waitForHydration } from './support/fixtures.ts';

test.use({ isSavingData: false });

const getTab = (page: Page, name: string) => page.locator('.tabbar').getByRole('link', { name });
const getStrip = (page: Page) => page.locator('.strip');

async function holdRequests(context: BrowserContext, path: RegExp): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(
    (url) => path.test(url.pathname),
    async (route) => {
      await released;
      await route.continue();
    },
  );
  return release;
}

/** Marks the document. Returns whether the mark is still there, which a new document would not have. */
async function markDocument(page: Page): Promise<() => Promise<boolean>> {
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
  createUser,
}) => {
  const { page, context } = await createUser('customer', { isPhone: true });
  const codePattern = /\/assets\/wallet-[\w-]+\.js/;
  await context.route(codePattern, (route) => route.abort());
  await page.goto('/');
  await waitForHydration(page);
  const isSame = await markDocument(page);
  await context.setOffline(true);
  await getTab(page, 'Wallet').tap();
  await expect(getStrip(page)).toContainText('You’re offline. This page will open when you’re back online.');
  await expect(getTab(page, 'Wallet')).toHaveAttribute('aria-current', 'page');
  await expect(getTab(page, 'Home')).not.toHaveAttribute('aria-current');
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  await expect(page.locator('[data-coming] .skeleton').first()).toBeAttached();
  await getTab(page, 'Home').tap();
  await expect(page.getByRole('main').getByRole('searchbox')).toBeVisible();
  await getTab(page, 'Wallet').tap();
  await context.unroute(codePattern);
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.getByRole('link', { name: 'Add funds' }).first()).toBeVisible();
  await expect(page.locator('[data-coming]')).toHaveCount(0);
  await expect(getStrip(page)).toHaveCount(0);
  expect(await isSame()).toBe(true);

  const probe = '**/healthz';
  let probeCount = 0;
  await context.route(codePattern, (route) => route.fulfill({ status: 404 }));
  await context.route(probe, (route) => {
    probeCount += 1;
    return route.abort();
  });
  await page.goto('/fan');
  await waitForHydration(page);
  const isStillSame = await markDocument(page);
  await getTab(page, 'Wallet').tap();
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  // Three failures while the server responds would reload the page.
  await expect.poll(() => probeCount).toBeGreaterThan(3);
  expect(await isStillSame()).toBe(true);
  // The new release has the same file names here, so loading the document is enough.
  page.once('framenavigated', () => void context.unroute(codePattern));
  await context.unroute(probe);
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.getByRole('link', { name: 'Add funds' }).first()).toBeVisible();
  expect(await isStillSame()).toBe(false);
});

test('a conversation opens before its messages are loaded, and the strip of a lost connection covers nothing', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  const fan = await createUser('customer', { isPhone: true });
  const id = await startConversation(fan, creator);
  const { page, context } = fan;
  let [network, isConnected] = [Promise.resolve(), false];
  const openSockets = new Set<() => void>();
  await page.routeWebSocket(/socket\.io/, async (socket) => {
    await network;
    const server = socket.connectToServer();
    server.onMessage((message) => {
      isConnected ||= String(message).startsWith('40');
      socket.send(message);
    });
    openSockets.add(() => void socket.close());
  });
  const release = await holdRequests(context, /\/assets\/chat-thread-|\/api\/message\//);
  await page.goto('/fan/chat');
  await waitForHydration(page);
  const conversation = page.locator('.talk-row').getByRole('link', { name: creator.username });
  await conversation.tap();
  await expect(page.getByRole('heading', { level: 1, name: creator.username })).toBeVisible();
  await expectReachable(page, 'Back to chats');
  await expect(getMessageField(page)).toBeVisible();
  await expect(page.locator('.tabbar')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to chats' }).tap();
  await expect(page.locator('.talk-row')).toBeVisible();
  await conversation.tap();
  release();
  await expect(page).toHaveURL(new RegExp(`/fan/chat/${id}$`));
  await expect(page.locator('.conv__scroll').getByText('Good evening.')).toBeVisible();

  await expect.poll(() => isConnected).toBe(true);
  const returned = Promise.withResolvers<void>();
  network = returned.promise;
  for (const close of openSockets) close();
  await expect(getStrip(page)).toHaveText('Reconnecting…');
  await expectReachable(page, 'Back to chats');
  returned.resolve();
  await expect(getStrip(page)).toHaveCount(0);
  await context.setOffline(true);
  await expect(getStrip(page)).toContainText('You’re offline.');
  await expectReachable(page, 'Back to chats');
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
});

test('“Try again?” loads a failed page without a new document, and loads a new document after a rendering error', async ({
  createUser,
}) => {
  const [first, second] = [await createConfirmedAccount('creator'), await createConfirmedAccount('creator')];
  const { page, context } = await createUser('customer', { isPhone: true });
  await page.goto('/');
  await waitForHydration(page);
  const isSame = await markDocument(page);
  const openProfile = async (username: string, respond: (route: Route) => Promise<void>) => {
    const profileRoute = `**/api/public/profile/${username}`;
    await context.route(profileRoute, respond);
    await page.evaluate((to) => history.pushState(null, '', to), `/profile/${username}`);
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    await expect(page.getByText('Oops, there is an error!')).toBeVisible();
    await context.unroute(profileRoute);
    await page.getByRole('button', { name: 'Try again?' }).tap();
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
    expect(page.url()).toBe(`${getBaseUrl()}/profile/${username}`);
  };
  await openProfile(first.username, (route) =>
    route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'No.' } }),
  );
  expect(await isSame()).toBe(true);
  await openProfile(second.username, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), totalPostCount: null } });
  });
  expect(await isSame()).toBe(false);
});

test('an open thread keeps its scroll position after a reload', async ({ createUser, createApiUser }) => {
  const creator = await createApiUser('creator');
  const fan = await createUser('customer', { isPhone: true });
  const id = await startConversation(fan, creator);
  await fillThread(id, 120);
  const { page } = fan;
  await page.goto(`/fan/chat/${id}`);
  await waitForThread(page);
  const scroll = page.locator('.conv__scroll');
  const getMessage = (number: number) =>
    scroll.locator('.msg').filter({ hasText: new RegExp(`Message ${number}(?!\\d)`) });
  await expect(async () => {
    await scroll.evaluate((element) => element.scrollBy(0, -1_000));
    await expect(getMessage(50)).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 30_000, intervals: [50] });
  const getTop = async () => (await getMessage(50).boundingBox())?.y;
  let before = await getTop();
  await expect(async () => {
    const earlier = before;
    await page.waitForLoadState('networkidle');
    before = await getTop();
    expect(before).toBe(earlier);
  }).toPass();
  await page.reload();
  await waitForThread(page);
  await expect(getMessage(50)).toBeVisible();
  await expect.poll(async () => Math.abs(((await getTop()) ?? 0) - (before ?? 0))).toBeLessThan(2);
  await sendTextMessage(creator.context, id, 'Still there?');
  await expect(page.getByRole('button', { name: /new|Latest/ })).toBeVisible();
  await expect(getMessage(50)).toBeVisible();
});

test('a failed second attempt does not show the success message of the first', async ({ open }) => {
  const { page, context } = await open({ isPhone: true });
  await page.goto('/forgot-password');
  await waitForHydration(page);
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

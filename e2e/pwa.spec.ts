import type { Page } from '@playwright/test';
import {
  getBubbles,
  getMessageField,
  openThread,
  sendTextMessage,
  startConversation,
  waitForThread,
} from './support/chat.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  getBaseUrl,
  logIn,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { makePicture, publishPictures } from './support/money.ts';
import { startProxy } from './support/proxy.ts';
import { waitForServiceWorker } from './support/service-worker.ts';
import { waitForSocket } from './support/socket.ts';
import { expectTouchable } from './support/touch.ts';

test.use({ serviceWorkers: 'allow', isSavingData: false });

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Evaluates in the page, and retries once if the page navigated meanwhile. */
async function evaluateOrRetry<T>(page: Page, callback: () => Promise<T>): Promise<T> {
  try {
    return await page.evaluate(callback);
  } catch (error) {
    if (!String(error).includes('context was destroyed')) throw error;
    await page.waitForLoadState();
    return page.evaluate(callback);
  }
}

const listSeenCaches = (page: Page) =>
  evaluateOrRetry(page, async () => (await caches.keys()).filter((name) => name.startsWith('seen-')));
const getSeenText = (page: Page) =>
  evaluateOrRetry(page, async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('seen-'));
    const texts = names.map(async (name) => (await (await caches.open(name)).match('/seen.json'))?.text());
    return (await Promise.all(texts)).join('');
  });

const listCachedPaths = (page: Page) =>
  evaluateOrRetry(page, async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths;
  });

test('offline users read what they saw before by a tap on a tab, other accounts do not, and a log-out clears it from the device', async ({
  createUser,
  createApiUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { isPhone: true })];
  const { page, context } = fan;
  await callApi(context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  await publishPictures(creator.context, { caption: 'A portrait of a quiet room' });
  const conversationId = await startConversation(fan, creator, 'Is the blue one still there?');
  await sendTextMessage(creator.context, conversationId, 'It is, and it waits for you.');
  await openThread(page, 'fan', conversationId);
  await waitForServiceWorker(page);
  await expect.poll(() => getSeenText(page)).toContain('It is, and it waits for you.');
  await page.goto('/fan/feed');
  await waitForHydration(page);
  await expect.poll(() => getSeenText(page)).toContain('A portrait of a quiet room');
  expect(await getSeenText(page)).toContain('It is, and it waits for you.');
  for (const path of await listCachedPaths(page))
    expect(path).toMatch(/^\/(?:offline\.(?:html|js)|fonts\/.+|seen\.json)$/);
  expect(await getSeenText(page)).not.toMatch(/\$\d|\/api\/|\/files\//);

  const tabs = page.locator('.tabbar');
  await context.setOffline(true);
  await tabs.getByRole('link', { name: 'Chat' }).tap();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page will open when you’re back online');
  await expect(page.getByRole('tab', { name: 'Chat', selected: true })).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('It is, and it waits for you.');
  await page.getByRole('tab', { name: 'Feed' }).click();
  await expect(page.getByText('A portrait of a quiet room')).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  // The page may already be reloading.
  await page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined);
  await expect(page).toHaveURL(/\/fan\/chat$/);
  await expect(tabs).toBeVisible();

  const guest = await createConfirmedAccount('customer');
  await logIn(context, guest.username);
  await page.goto('/fan/follow');
  await expect.poll(() => getSeenText(page)).not.toContain('waits for you');
  await context.setOffline(true);
  await page.goto('/fan/chat');
  await expect(page.getByText('waits for you')).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.locator('.tabbar')).toBeVisible();

  // The guest's page is closed before the session ends because it would otherwise navigate to the front page.
  await page.goto('about:blank');
  await logIn(context, fan.username);
  await openThread(page, 'fan', conversationId);
  await expect.poll(() => getSeenText(page)).toContain('It is, and it waits for you.');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Attach' }).click();
  await expect(page.getByRole('menuitem', { name: 'Documents' })).toBeVisible();
  await page.keyboard.press('Escape');
  await getMessageField(page).fill('Written on the train.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(getBubbles(page).filter({ hasText: 'Written on the train.' })).toBeVisible();
  await page.reload();
  const queued = page.getByRole('listitem').filter({ hasText: 'Written on the train.' });
  await expect(queued).toContainText('Sends when you’re online');
  await context.setOffline(false);
  await page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined);
  await waitForThread(page);
  await page.goto('/fan/profile');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => listSeenCaches(page)).toEqual([]);
  await context.setOffline(true);
  await page.goto(`/fan/chat/${conversationId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page will open when you’re back online');
  await expect(page.getByRole('tab')).toHaveCount(0);
});

test('a new release waits while the user types, is offered, and then reloads the page once', async ({ browser }) => {
  const proxy = await startProxy();
  const context = await browser.newContext({ baseURL: getBaseUrl(), proxy: { server: proxy.url } });
  const { username } = await createConfirmedAccount('customer');
  await logIn(context, username);
  const page = await context.newPage();
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  const before = waitForSocket(page);
  await page.goto('/fan/follow');
  await waitForServiceWorker(page);
  await before;
  const connected = waitForSocket(page);
  await page.goto('/');
  await waitForServiceWorker(page);
  await waitForHydration(page);
  await connected;
  const search = page.getByRole('searchbox').filter({ visible: true }).first();
  await search.fill('mire');
  documents = 0;
  const release = await page.evaluate(() =>
    String(Reflect.get(Reflect.get(window, '__reactRouterManifest'), 'version')),
  );
  proxy.alterFile('/app-worker.js', (text) => text.replaceAll(release, 'next'));
  const updateNotice = page.getByRole('status').filter({ hasText: 'Update available' });
  // The server restarts for the update. The page finds it and offers it only once.
  proxy.closeSockets();
  await expect(updateNotice).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')));
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await expect(updateNotice).toHaveCount(1);
  expect(documents).toBe(0);
  await expect(search).toHaveValue('mire');
  await search.fill('');
  await search.blur();
  await expect.poll(() => documents, { timeout: 15_000 }).toBe(1);
  await waitForHydration(page);
  await waitForServiceWorker(page);
  // The new release does not control the page yet, and it must not be loaded again for it.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    await registration?.update();
    navigator.serviceWorker.dispatchEvent(new Event('controllerchange'));
  });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await expect(updateNotice).toHaveCount(0);
  expect(documents).toBe(1);
  await context.close();
  await proxy.close();
});

/** Simulates the browser's install prompt, which private windows do not get. */
const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const installEvent = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => void document.body.setAttribute('data-prompted', ''),
      userChoice: Promise.resolve({ outcome: 'accepted' }),
    });
    return { isPrevented: !dispatchEvent(installEvent) };
  });

test('a browser that can install is prompted where no field is covered, and not again for 24 hours after Maybe Later', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator] = [await createUser('customer', { width: 390 }), await createApiUser('creator')];
  const id = await startConversation(fan, creator);
  const { page } = fan;
  await page.clock.install();
  const card = page.getByRole('region', { name: 'Install Stagedoor' });
  await openThread(page, 'fan', id);
  await waitForServiceWorker(page);
  expect((await offerInstall(page)).isPrevented).toBe(true);
  await page.clock.runFor(10_000);
  await expect(card).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to chats' }).click();
  await page.clock.runFor(3_000);
  await expect(card).toHaveCount(0);
  await page.clock.runFor(5_000);
  await expect(card).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: creator.username }).first().click();
  await expect(card).toBeHidden();
  await expectTouchable(getMessageField(page));
  await page.getByRole('link', { name: 'Back to chats' }).click();
  await card.getByRole('button', { name: 'Maybe Later' }).click();
  await expect(card).toHaveCount(0);

  await page.clock.fastForward('23:59:00');
  await page.goto('/fan/follow');
  await waitForServiceWorker(page);
  expect((await offerInstall(page)).isPrevented).toBe(true);
  await page.clock.runFor(10_000);
  await expect(card).toHaveCount(0);
  await page.clock.fastForward('01:00');
  await page.clock.runFor(3_000);
  await expect(card).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const [end, edge] = [await page.getByRole('main').boundingBox(), await card.boundingBox()];
  expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((edge?.y ?? 0) + 1);
  await card.getByRole('button', { name: 'Install Now' }).click();
  await expect(page.locator('body[data-prompted]')).toHaveCount(1);
  await expect(card).toHaveCount(0);
});

test('an iPhone shows an install banner on top with three steps, without layout shift, until it is closed', async ({
  browser,
}) => {
  const context = await browser.newContext({
    ...{
      baseURL: getBaseUrl(),
      userAgent: IPHONE,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    },
    reducedMotion: 'reduce',
  });
  await context.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (Reflect.get(entry, 'hadRecentInput') !== true)
          Reflect.set(window, 'shifted', (Reflect.get(window, 'shifted') ?? 0) + Reflect.get(entry, 'value'));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const { username } = await createConfirmedAccount('customer');
  await logIn(context, username);
  const page = await context.newPage();
  await page.goto('/');
  await waitForServiceWorker(page);
  const banner = page.getByRole('complementary', { name: 'Add to Home Screen' });
  await expect(banner).toHaveCount(0);
  await expect(async () => {
    await page.locator('.tabbar').getByRole('link', { name: 'Wallet' }).tap();
    await expect(banner).toBeVisible({ timeout: 2_000 });
  }).toPass();
  expect(await page.evaluate(() => Number(Reflect.get(window, 'shifted') ?? 0))).toBeLessThan(0.05);
  await banner.getByRole('button', { name: 'Show me' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Add to Home Screen' });
  await expect(sheet.getByRole('listitem')).toHaveText([/^Tap Share/, /^Add to Home Screen/, /^Tap Add/]);
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await banner.getByRole('button', { name: 'Hide this for 30 days' }).tap();
  await expect(banner).toHaveCount(0);
  await context.close();
});

/** Shares as a phone does, with a form that posts the files to the address in the manifest. */
async function shareFile(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
  sharedText = '',
): Promise<void> {
  await page.evaluate((text) => {
    const form = Object.assign(document.createElement('form'), {
      ...{ id: 'phone', method: 'post', action: '/share', enctype: 'multipart/form-data' },
    });
    form.append(Object.assign(document.createElement('input'), { type: 'file', name: 'files' }));
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'text', value: text }));
    document.body.append(form);
  }, sharedText);
  await page.locator('#phone input[type=file]').setInputFiles(file);
  await page.evaluate(() => document.querySelector<HTMLFormElement>('#phone')?.submit());
}

test('files shared from a phone are shown, and are added on a press to a creator’s post or a fan’s conversation', async ({
  createUser,
}) => {
  const [creator, fan] = [await createUser('creator'), await createUser('customer')];
  const file = { name: 'evening.jpg', mimeType: 'image/jpeg', buffer: await makePicture() };
  await creator.page.goto('/creator/media');
  await waitForServiceWorker(creator.page);
  await shareFile(creator.page, file, 'Evening light, by the kiln');
  await expect(creator.page).toHaveURL(/\/creator\/post\/add\?/);
  const sharedRegion = creator.page.getByRole('region', { name: 'Shared with Stagedoor' });
  await expect(sharedRegion.getByText('evening.jpg')).toBeVisible();
  // Any site can share, so nothing is added without a press.
  await expect(creator.page.getByRole('button', { name: /^Photo 1,/ })).toHaveCount(0);
  await sharedRegion.getByRole('button', { name: 'Add the shared file and text' }).click();
  await expect(sharedRegion).toHaveCount(0);
  await expect(creator.page.getByRole('textbox', { name: 'Caption' })).toHaveValue('Evening light, by the kiln');
  await expect(creator.page.getByRole('button', { name: /^Photo 1,/ })).toBeVisible();

  const conversationId = await startConversation(fan, creator, 'Look at this light.');
  await fan.page.goto('/fan/follow');
  await waitForServiceWorker(fan.page);
  await shareFile(fan.page, file);
  await expect(fan.page).toHaveURL(/\/fan\/chat\?shared=1$/);
  await expect(fan.page.getByText('Select a chat to share to.')).toBeVisible();
  await fan.page.locator(`[data-talk="${conversationId}"]`).click();
  await fan.page.getByRole('button', { name: 'Add the shared file' }).click();
  await expect(fan.page.getByRole('button', { name: /evening\.jpg/ })).toBeVisible();

  // Discarded files are deleted, also when the button is pressed before the script is loaded.
  const script = Promise.withResolvers<void>();
  await fan.page.route('**/*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await shareFile(fan.page, file);
  await expect(fan.page).toHaveURL(/\/fan\/chat\?shared=1$/);
  await fan.page.locator(`[data-talk="${conversationId}"]`).click();
  await expect(fan.page).toHaveURL(new RegExp(`/fan/chat/${conversationId}$`));
  script.resolve();
  await fan.page.getByRole('button', { name: 'Discard' }).click();
  await expect(fan.page.getByRole('region', { name: 'Shared with Stagedoor' })).toHaveCount(0);
  await expect(fan.page.getByRole('button', { name: /evening\.jpg/ })).toHaveCount(0);
  await expect.poll(() => fan.page.evaluate(() => caches.has('shared'))).toBe(false);
});

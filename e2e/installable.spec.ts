import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { startConversation } from './support/chat.ts';
import { createConfirmedAccount, expect, PASSWORD, test, waitForHydration } from './support/fixtures.ts';

test.use({ serviceWorkers: 'allow', isSavingData: false });

test('a visitor’s page registers no service worker, and a log-in from the installed app is marked as such', async ({
  open,
}) => {
  const { username } = await createConfirmedAccount('customer');
  const { page, context } = await open({ isPhone: true });
  await context.addInitScript(() => {
    const native = window.matchMedia.bind(window);
    window.matchMedia = (query) => (query.includes('display-mode: standalone') ? native('all') : native(query));
  });
  await page.goto('/login');
  await waitForHydration(page);
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/auth/login'));
  await page
    .getByLabel(/^(Username|E-mail)/)
    .first()
    .fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).tap();
  expect((await sent).headers()['x-display-mode']).toBe('standalone');
});

type Insets = { top: number; right: number; bottom: number; left: number };

async function expectInSafeArea(page: Page, { left, right, bottom }: Insets, ...targets: Locator[]): Promise<void> {
  const viewport = page.viewportSize() ?? { width: 0, height: 0 };
  for (const target of targets) {
    await expect(target.first()).toBeVisible();
    await expect(async () => {
      for (const one of await target.filter({ visible: true }).all()) {
        const box = (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        const message = `${await one.getAttribute('class')} ${JSON.stringify(box)}`;
        expect(box.x, message).toBeGreaterThanOrEqual(left);
        expect(box.x + box.width, message).toBeLessThanOrEqual(viewport.width - right);
        expect(box.y + box.height, message).toBeLessThanOrEqual(viewport.height - bottom);
      }
    }).toPass({ timeout: 10_000 });
  }
}

test('the browser can install the app, whose bars, fields and sheets stay inside the safe area', async ({
  createUser,
  createApiUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { isPhone: true })];
  const { page, context } = fan;
  type ManifestFile = { src: string; sizes: string; type: string; purpose?: string };
  type WebManifest = {
    icons: ManifestFile[];
    screenshots: ManifestFile[];
    shortcuts: { url: string; icons: ManifestFile[] }[];
  };
  for (const name of ['manifest', 'manifest-creator']) {
    const manifest: WebManifest = await (await context.request.get(`/${name}.webmanifest`)).json();
    const files = [...manifest.icons, ...manifest.screenshots, ...manifest.shortcuts.flatMap(({ icons }) => icons)];
    expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
    for (const { src, sizes, type } of files) {
      const response = await context.request.get(src);
      expect([response.status(), response.headers()['content-type']], src).toEqual([200, type]);
      const { width, height } = await sharp(await response.body()).metadata();
      expect(`${width}x${height}`, src).toBe(sizes);
    }
  }
  await page.goto('/fan/follow');
  await waitForHydration(page);
  await page.waitForSelector('link[rel=manifest]', { state: 'attached' });
  const devtools = await context.newCDPSession(page);
  const { errors, url } = await devtools.send('Page.getAppManifest');
  expect([errors, new URL(url).pathname]).toEqual([[], '/manifest.webmanifest']);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // Test contexts are private windows, in which the browser does not offer the installation.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);

  const setInsets = async (insets: Insets) => {
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
    return insets;
  };
  const bar = page.locator('.tabbar .nav-item');
  await page.goto('/fan/notifications');
  await waitForHydration(page);
  const { width, height } = page.viewportSize() ?? { width: 390, height: 844 };
  await page.setViewportSize({ width: height, height: width });
  const landscape = await setInsets({ top: 0, right: 47, bottom: 21, left: 47 });
  await expectInSafeArea(page, landscape, bar);
  await expectInSafeArea(
    page,
    { ...landscape, bottom: -10_000 },
    page.getByRole('main').locator('h1, h2, a, button, p'),
  );

  await page.setViewportSize({ width, height });
  const portrait = await setInsets({ top: 47, right: 0, bottom: 34, left: 0 });
  await expectInSafeArea(page, portrait, bar);
  const conversationId = await startConversation(fan, creator, 'Is the blue one still there?');
  await page.goto(`/fan/chat/${conversationId}`);
  await waitForHydration(page);
  await expectInSafeArea(page, portrait, page.getByRole('textbox', { name: 'Message', exact: true }));
  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  await page.getByRole('main').getByRole('button', { name: /^Tip / }).first().tap();
  await expectInSafeArea(page, portrait, page.getByRole('dialog', { name: /^Tip / }).getByRole('button'));
});

import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { converse } from './support/chat.ts';
import { expect, hydrated, PASSWORD, signUp, test } from './support/fixtures.ts';

test.use({ serviceWorkers: 'allow', isSavingData: false });

test('the manifests’ files have the declared type and size, and the browser can install the app', async ({
  person,
}) => {
  const { page, context } = await person('customer');
  type File = { src: string; sizes: string; type: string; purpose?: string };
  type Manifest = { icons: File[]; screenshots: File[]; shortcuts: { url: string; icons: File[] }[] };
  for (const name of ['manifest', 'manifest-creator']) {
    const manifest: Manifest = await (await context.request.get(`/${name}.webmanifest`)).json();
    const files = [...manifest.icons, ...manifest.screenshots, ...manifest.shortcuts.flatMap(({ icons }) => icons)];
    expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
    for (const { src, sizes, type } of files) {
      const answer = await context.request.get(src);
      expect([answer.status(), answer.headers()['content-type']], src).toEqual([200, type]);
      const { width, height } = await sharp(await answer.body()).metadata();
      expect(`${width}x${height}`, src).toBe(sizes);
    }
  }
  await page.goto('/fan/follow');
  await page.waitForSelector('link[rel=manifest]', { state: 'attached' });
  const devtools = await context.newCDPSession(page);
  const { errors, url } = await devtools.send('Page.getAppManifest');
  expect([errors, new URL(url).pathname]).toEqual([[], '/manifest.webmanifest']);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // Test contexts are private windows, in which the browser does not offer the installation.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});

test('a log-in from the installed app is marked as such', async ({ open }) => {
  const { username } = await signUp('customer');
  const { page, context } = await open({ isPhone: true });
  await context.addInitScript(() => {
    const native = window.matchMedia.bind(window);
    window.matchMedia = (query) => (query.includes('display-mode: standalone') ? native('all') : native(query));
  });
  await page.goto('/login');
  await hydrated(page);
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

async function expectFree(page: Page, { left, right, bottom }: Insets, ...things: Locator[]): Promise<void> {
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  for (const thing of things) {
    await expect(thing.first()).toBeVisible();
    await expect(async () => {
      for (const one of await thing.filter({ visible: true }).all()) {
        const box = (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        const said = `${await one.getAttribute('class')} ${JSON.stringify(box)}`;
        expect(box.x, said).toBeGreaterThanOrEqual(left);
        expect(box.x + box.width, said).toBeLessThanOrEqual(window.width - right);
        expect(box.y + box.height, said).toBeLessThanOrEqual(window.height - bottom);
      }
    }).toPass({ timeout: 10_000 });
  }
}

test('the tab bar, the message field and sheets stay inside the safe area in portrait and landscape', async ({
  person,
}) => {
  const [maker, fan] = [await person('creator'), await person('customer', { isPhone: true })];
  const { page, context } = fan;
  const devtools = await context.newCDPSession(page);
  const hold = async (insets: Insets) => {
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
    return insets;
  };
  const bar = page.locator('.tabbar .nav-item');
  const talk = await converse(fan, maker, 'Is the blue one still there?');

  const upright = await hold({ top: 47, right: 0, bottom: 34, left: 0 });
  await page.goto('/fan/follow');
  await hydrated(page);
  await expectFree(page, upright, bar);
  await page.goto(`/fan/chat/${talk}`);
  await hydrated(page);
  await expectFree(page, upright, page.getByRole('textbox', { name: 'Message', exact: true }));
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  await page.getByRole('main').getByRole('button', { name: /^Tip / }).first().tap();
  await expectFree(page, upright, page.getByRole('dialog', { name: /^Tip / }).getByRole('button'));

  const { width, height } = page.viewportSize() ?? { width: 390, height: 844 };
  await page.setViewportSize({ width: height, height: width });
  const lying = await hold({ top: 0, right: 47, bottom: 21, left: 47 });
  await page.goto('/fan/notifications');
  await hydrated(page);
  await expectFree(page, lying, bar);
  await expectFree(page, { ...lying, bottom: -10_000 }, page.getByRole('main').locator('h1, h2, a, button, p'));
});

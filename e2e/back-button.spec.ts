/**
 * The back button of a phone closes what covers the page and keeps the page, in browsers with and without CloseWatcher.
 */
import type { Page } from '@playwright/test';
import { createConfirmedAccount, expect, test, waitForHydration } from './support/fixtures.ts';

/** Triggers the back button as Chrome on Android reports it to a CloseWatcher. */
const pressBack = (page: Page) =>
  page.evaluate(() => {
    const closers: { requestClose: () => void }[] = Reflect.get(window, 'closers');
    closers.at(-1)?.requestClose();
  });

test('back closes a sheet without losing a changed address and then leads to the previous page, and Escape closes it, too', async ({
  createUser,
}) => {
  const creator = await createConfirmedAccount('creator');
  const { page, context } = await createUser('customer', { isPhone: true });
  await context.addInitScript(() => {
    const Native: new () => object = Reflect.get(window, 'CloseWatcher');
    const closers: object[] = [];
    class Recorded extends Native {
      constructor() {
        super();
        closers.push(this);
      }
    }
    Object.assign(window, { CloseWatcher: Recorded, closers });
  });
  const profile = `/profile/${creator.username}`;
  await page.goto(profile);
  await waitForHydration(page);
  const opener = page.getByRole('main').getByRole('button', { name: /^Tip / }).first();
  const sheet = page.getByRole('dialog', { name: /^Tip / });
  for (const close of [() => pressBack(page), () => page.keyboard.press('Escape')]) {
    await opener.tap();
    await expect(sheet).toBeVisible();
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'closers').length)).toBeGreaterThan(0);
    await close();
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`${profile}$`));
  }

  // From here on as in a browser without CloseWatcher.
  await context.addInitScript(() => void Reflect.deleteProperty(window, 'CloseWatcher'));
  await page.goto('/fan/follow');
  await page.goto(profile);
  await waitForHydration(page);
  const isOverlayOpen = () => page.evaluate(() => 'isOver' in (history.state ?? {}));
  await opener.tap();
  await expect(sheet).toBeVisible();
  await expect.poll(isOverlayOpen).toBe(true);
  await page.evaluate(() => history.replaceState({ ...history.state, own: 1 }, '', '?tab=works'));
  expect(await isOverlayOpen()).toBe(true);
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\?tab=works$/);
  expect(await page.evaluate(() => history.state)).toMatchObject({ own: 1 });
  expect(await isOverlayOpen()).toBe(false);

  await opener.tap();
  await expect(sheet).toBeVisible();
  await expect.poll(isOverlayOpen).toBe(true);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await expect.poll(isOverlayOpen).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(/\/fan\/follow$/);
});

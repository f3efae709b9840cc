/**
 * The back button of a phone closes what covers the page and keeps the page, in browsers with and without CloseWatcher.
 */
import type { Page } from '@playwright/test';
import { expect, hydrated, test } from './support/fixtures.ts';

/** Triggers the back button as Chrome on Android reports it to a CloseWatcher. */
const pressBack = (page: Page) =>
  page.evaluate(() => {
    const closers: { requestClose: () => void }[] = Reflect.get(window, 'closers');
    closers.at(-1)?.requestClose();
  });

test('back closes a sheet, and Escape still does', async ({ person }) => {
  const maker = await person('creator');
  const { page, context } = await person('customer', { isPhone: true });
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
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const opener = page.getByRole('main').getByRole('button', { name: /^Tip / }).first();
  const sheet = page.getByRole('dialog', { name: /^Tip / });
  for (const close of [() => pressBack(page), () => page.keyboard.press('Escape')]) {
    await opener.tap();
    await expect(sheet).toBeVisible();
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'closers').length)).toBeGreaterThan(0);
    await close();
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`/profile/${maker.username}$`));
  }
});

test('without CloseWatcher, back closes a sheet and then leads to the previous page', async ({ person }) => {
  const maker = await person('creator');
  const { page, context } = await person('customer', { isPhone: true });
  await context.addInitScript(() => void Reflect.deleteProperty(window, 'CloseWatcher'));
  await page.goto('/fan/follow');
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const opener = page.getByRole('main').getByRole('button', { name: /^Tip / }).first();
  const sheet = page.getByRole('dialog', { name: /^Tip / });
  await opener.tap();
  await expect(sheet).toBeVisible();
  await expect.poll(() => page.evaluate(() => 'isOver' in (history.state ?? {}))).toBe(true);
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/profile/${maker.username}$`));

  await opener.tap();
  await expect(sheet).toBeVisible();
  await expect.poll(() => page.evaluate(() => 'isOver' in (history.state ?? {}))).toBe(true);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await expect.poll(() => page.evaluate(() => 'isOver' in (history.state ?? {}))).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(/\/fan\/follow$/);
});

test('back closes the question about unsaved changes and keeps the changes', async ({ person }) => {
  const { page, context } = await person('customer', { isPhone: true });
  await context.addInitScript(() => void Reflect.deleteProperty(window, 'CloseWatcher'));
  await page.goto('/fan/profile');
  await hydrated(page);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Somebody else');
  await page
    .getByRole('link', { name: /^Alerts/ })
    .filter({ visible: true })
    .first()
    .tap();
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(asked).toBeVisible();
  await expect.poll(() => page.evaluate(() => 'isOver' in (history.state ?? {}))).toBe(true);
  await page.goBack();
  await expect(asked).toHaveCount(0);
  await expect(page).toHaveURL(/\/fan\/profile$/);
  await expect(name).toHaveValue('Somebody else');
});

test('going back with unsaved changes asks first, and Leave opens the previous page', async ({ person }) => {
  const { page, context } = await person('customer', { isPhone: true });
  await context.addInitScript(() => void Reflect.deleteProperty(window, 'CloseWatcher'));
  await page.goto('/fan/follow');
  await hydrated(page);
  await page.getByRole('link', { name: /^Me/ }).filter({ visible: true }).first().tap();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toBeVisible();
  await expect(page).toHaveURL(/\/fan\/profile$/);
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  const isOver = () => page.evaluate(() => 'isOver' in (history.state ?? {}));
  await name.fill('Somebody else');
  await page.goBack();
  await expect(asked).toBeVisible();
  await expect(page).toHaveURL(/\/fan\/profile$/);
  await asked.getByRole('button', { name: 'Stay' }).tap();
  await expect(asked).toHaveCount(0);
  await expect.poll(isOver).toBe(false);
  await expect(name).toHaveValue('Somebody else');

  await page.goBack();
  await expect(asked).toBeVisible();
  await expect.poll(isOver).toBe(true);
  await asked.getByRole('button', { name: 'Leave' }).tap();
  await expect(page).toHaveURL(/\/fan\/follow$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(isOver).toBe(false);
});

test('back closes a sheet and keeps an address that changed while it was open', async ({ person }) => {
  const maker = await person('creator');
  const { page, context } = await person('customer', { isPhone: true });
  await context.addInitScript(() => void Reflect.deleteProperty(window, 'CloseWatcher'));
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const isOver = () => page.evaluate(() => 'isOver' in (history.state ?? {}));
  await page.getByRole('main').getByRole('button', { name: /^Tip / }).first().tap();
  const sheet = page.getByRole('dialog', { name: /^Tip / });
  await expect.poll(isOver).toBe(true);
  await page.evaluate(() => history.replaceState({ ...history.state, own: 1 }, '', '?tab=works'));
  expect(await isOver()).toBe(true);
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\?tab=works$/);
  expect(await page.evaluate(() => history.state)).toMatchObject({ own: 1 });
  expect(await isOver()).toBe(false);
});

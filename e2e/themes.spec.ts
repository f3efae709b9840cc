/** Themes (row B7): taken in a tap and taken back, made in the editor with a colour refused, published, and seen by visitors by day and night. */

import type { Page } from '@playwright/test';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { refusals, type ThemeState } from '@stagedoor/contract/themes.ts';
import { callApi, expect, expectAccessible, hydrated, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(over, what).toBeLessThanOrEqual(0);
}

const SHARED = `${PUBLIC_PATHS.themes}/f4f3f0-2f5d50-made-signage-0-hero-box-row-picture`;

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
const styleOf = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

test('a creator takes a theme in a tap and takes it back; visitors look without script', async ({ person, open }) => {
  const maker = await person('creator', { width: 390 });
  const { page, context } = maker;
  await page.goto(PUBLIC_PATHS.themes);
  await hydrated(page);
  await expect(page.getByRole('listitem').filter({ hasText: 'Varnish' })).toContainText('AAA');
  await page.getByRole('button', { name: 'Apply Varnish' }).click();
  await expect(page.getByText('Your page is drawn in Varnish now.')).toBeVisible();
  const state = () => callApi<ThemeState>(context, 'GET', '/creator/theme');
  expect((await state()).published?.background).toBe('#1a0f0a');

  const visitor = await open({ hasScript: false, width: 390 });
  const profile = `/profile/${maker.username}`;
  await visitor.page.goto(profile);
  expect(await styleOf(visitor.page, '.themed', 'background-color')).toBe(rgb('#1a0f0a'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await state()).published).toBeNull();
  // The kept page is made anew.
  await expect
    .poll(async () => {
      await visitor.page.goto(profile);
      return visitor.page.locator('.themed').count();
    })
    .toBe(0);

  const { page: alive } = await open({ width: 390 });
  for (const path of [PUBLIC_PATHS.themes, SHARED]) {
    await visitor.page.goto(path);
    await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(visitor.page.getByRole('button', { name: /^Apply/ })).toHaveCount(0);
    for (const width of [320, 390, 1440]) {
      await visitor.page.setViewportSize({ width, height: 844 });
      await expectNoOverflow(visitor.page, `${path} at ${width}`);
    }
    await alive.goto(path);
    await expectAccessible(alive);
  }
  expect((await visitor.page.goto(`${PUBLIC_PATHS.themes}/red-on-red`))?.status()).toBe(404);
});

test('a theme is made, refused where it cannot be read, published, and seen in both lights', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  await publish(maker.context, { caption: 'Two glazes' });
  await publish(maker.context, { caption: 'Five cups', priceUsd: 9 });
  const { page, context } = maker;
  await page.goto(PUBLIC_PATHS.themeEdit);
  await hydrated(page);
  await page.getByRole('radio', { name: 'Bone' }).check({ force: true });
  const accent = page.getByLabel('Accent by its number');
  await accent.fill('#f2b705');
  const refused = page.getByRole('group', { name: 'Refused colour' });
  await expect(refused).toContainText('#f2b705 on #f4f1ea is 1.6:1. We need 4.5:1');
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await expectAccessible(page);
  const [refusal] = refusals({ background: '#f4f1ea', accent: '#f2b705', twin: 'made' });
  const offered = refusal?.nearest ?? '';
  await page.getByRole('button', { name: `Use ${offered}` }).click();
  await expect(refused).toHaveCount(0);
  await expect(accent).toHaveValue(offered);

  await page.getByRole('radio', { name: 'Poster' }).check({ force: true });
  await page.getByRole('radio', { name: '24', exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('radio', { name: '0', exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('radio', { name: 'Hero' }).check({ force: true });
  await expect(page.getByText('Draft kept')).toBeVisible();
  const state = await callApi<ThemeState>(context, 'GET', '/creator/theme');
  expect(state).toMatchObject({
    published: null,
    draft: { accent: offered, type: 'poster', radius: 24, layout: 'hero' },
  });

  // Another window was first: nothing is lost unseen.
  await callApi(context, 'PUT', '/creator/theme/draft', { revision: state.revision, theme: state.draft });
  await page.getByRole('radio', { name: 'Round' }).check({ force: true });
  await page.getByRole('button', { name: 'Load that one' }).click();
  await expect(page.getByRole('radio', { name: 'Box' })).toBeChecked();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published. Your page is drawn in it now.')).toBeVisible();

  for (const colorScheme of ['light', 'dark'] as const) {
    const { page: seen } = await open({ hasScript: false, colorScheme });
    for (const width of [390, 1440]) {
      await seen.setViewportSize({ width, height: 844 });
      await seen.goto(`/profile/${maker.username}`);
      const ground = await styleOf(seen, '.themed', 'background-color');
      if (colorScheme === 'light') expect(ground).toBe(rgb('#f4f1ea'));
      else expect(ground).not.toBe(rgb('#f4f1ea'));
      expect(await styleOf(seen, '.follow', 'border-top-left-radius')).toBe('24px');
      expect(await styleOf(seen, 'h1', 'font-family')).toContain('Poster');
      // What asks for money looks as everywhere.
      expect(await styleOf(seen, '.seal', 'background-color')).toBe(await styleOf(seen, 'html', 'background-color'));
      await expectNoOverflow(seen, `${colorScheme} at ${width}`);
    }
  }
  const { page: alive } = await open();
  await alive.goto(`/profile/${maker.username}`);
  await expectAccessible(alive);
});

import type { Locator, Page } from '@playwright/test';
import { converse, idOf, openThread } from './support/chat.ts';
import { callApi, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, publish } from './support/money.ts';
import { tap } from './support/touch.ts';

type Box = { x: number; y: number; width: number; height: number };

async function boxOf(target: Locator): Promise<Box> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not shown`);
  return box;
}

const touches = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && typeof entry.value === 'number') sum += entry.value;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    observer.disconnect();
    return sum;
  });
}

test('the feed shows the whole picture with its price in view', async ({ person }) => {
  const maker = await person('creator');
  const fan = await person('customer', { width: 390 });
  const { page } = fan;
  await callApi(fan.context, 'POST', `/customer/follow/${await idOf(maker.context)}`, { isFollowed: true });
  await publish(maker.context, { caption: 'Portrait of a room', priceUsd: 8 });
  await expect.poll(async () => (await callApi<{ data: unknown[] }>(fan.context, 'GET', '/feed')).data.length).toBe(1);
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/fan/feed');
    const entry = page.getByRole('article');
    const seal = await boxOf(entry.locator('.seal').filter({ hasText: '$8.00' }));
    const bar = width < 960 ? await boxOf(page.locator('.tabbar')) : { y: height };
    expect(seal.y + seal.height, `${width} px`).toBeLessThanOrEqual(bar.y);
    const picture = await boxOf(entry.locator('.pic').first());
    expect(picture.height).toBeLessThanOrEqual(height * 0.7 + 1);
    const own = await entry
      .locator('img')
      .first()
      .evaluate((img: HTMLImageElement) => Number(img.getAttribute('width')) / Number(img.getAttribute('height')));
    expect(picture.width / picture.height).toBeCloseTo(own, 1);
    expect(await shiftOf(page)).toBeLessThan(0.02);
  }
});

test('the tabs of a profile keep the scroll position', async ({ person, open }) => {
  const maker = await person('creator');
  const bio = 'A long line about the work and where it is made.\n'.repeat(12);
  await callApi(maker.context, 'PUT', '/creator/profile', { name: 'Ada Vreeland', bio, category: null });
  for (let count = 0; count < 3; count += 1) await publish(maker.context, { caption: `Number ${count}` });
  const { page } = await person('customer', { isPhone: true });
  const path = `/profile/${maker.username}`;
  await page.goto(path);
  await hydrated(page);
  const tabs = page.getByRole('navigation', { name: 'Profile' });
  await page.evaluate(() => window.scrollTo(0, 400));
  const before = (await boxOf(tabs)).y;
  await tap(page, tabs.getByRole('link', { name: 'Media' }));
  await expect(page).toHaveURL(/tab=media/);
  await expect(page.locator('#media')).toBeVisible();
  await expect.poll(async () => Math.abs((await boxOf(tabs)).y - before)).toBeLessThanOrEqual(1);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(380);

  const visitor = await open({ isPhone: true });
  await visitor.page.goto(path);
  const theirs = visitor.page.getByRole('navigation', { name: 'Profile' });
  await tap(visitor.page, theirs.getByRole('link', { name: 'Media' }));
  await expect(visitor.page).toHaveURL(/tab=media/);
  await expect(theirs).toBeInViewport();
  await expect.poll(() => visitor.page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
});

test('a tip in a thread shows a receipt and no toast, and elsewhere the toast covers neither button nor receipt', async ({
  person,
}) => {
  const [maker, fan] = [await person('creator'), await person('customer', { isPhone: true })];
  const locked = await publish(maker.context, { caption: 'Behind the door', priceUsd: 8 });
  await addFunds(fan.context, 50);
  const conversation = await converse(fan, maker);
  const { page } = fan;
  const tip = async () => {
    await tap(page, page.getByRole('main').getByRole('button', { name: /^Tip / }).first());
    await tap(page, page.getByRole('dialog').getByRole('button', { name: /^Tip \$/ }));
  };
  await openThread(page, 'fan', conversation);
  await hydrated(page);
  await tip();
  await expect(page.locator('.conv__scroll').getByText('$10.00')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('.toast')).toHaveCount(0);

  await page.goto(`/post/${locked}`);
  await hydrated(page);
  await tip();
  const toast = page.locator('.toast');
  await expect(toast).toContainText('You tipped');
  const unlock = page.getByRole('button', { name: 'Unlock $8.00' });
  await expect.poll(async () => touches(await boxOf(toast), await boxOf(page.locator('.action-bar')))).toBe(false);
  await tap(page, unlock);
  await expect(page.getByText('Yours · $8.00')).toBeVisible();
});

test('text fields grow with their text, sheets scroll only vertically, and an empty date looks empty', async ({
  person,
}) => {
  const { page } = await person('creator', { width: 390 });
  await page.goto('/dev/gallery');
  await hydrated(page);
  await page.addStyleTag({ content: 'textarea { field-sizing: fixed !important }' });
  const field = page.getByRole('textbox', { name: 'Message' }).first();
  const low = (await boxOf(field)).height;
  await field.fill('one\ntwo\nthree');
  await expect.poll(async () => (await boxOf(field)).height).toBeGreaterThan(low + 30);
  await field.fill('');
  await expect.poll(async () => (await boxOf(field)).height).toBe(low);

  await page
    .getByRole('button', { name: /dialog/i })
    .first()
    .click();
  await expect(page.locator('.dialog[role="dialog"]').last()).toHaveCSS('overflow-x', 'hidden');

  await page.goto('/creator/followers');
  await hydrated(page);
  const from = page.getByLabel('From', { exact: true });
  const colourOf = () =>
    from.evaluate((element) => [getComputedStyle(element).color, getComputedStyle(document.body).color]);
  const [empty, ink] = await colourOf();
  expect(empty).not.toBe(ink);
  await from.fill('2026-01-02');
  await from.blur();
  await expect.poll(async () => (await colourOf())[0]).toBe(ink);
});

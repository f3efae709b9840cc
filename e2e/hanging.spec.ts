import type { Locator, Page } from '@playwright/test';
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

test('the feed shows the whole picture with its price in view, and the toast of a tip covers neither button nor receipt', async ({
  person,
  apiUser,
}) => {
  const maker = await apiUser('creator');
  const fan = await person('customer', { isPhone: true });
  const { page } = fan;
  await callApi(fan.context, 'POST', `/customer/follow/${maker.id}`, { isFollowed: true });
  const locked = await publish(maker.context, { caption: 'Portrait of a room', priceUsd: 8 });
  await addFunds(fan.context, 50);
  await expect.poll(async () => (await callApi<{ data: unknown[] }>(fan.context, 'GET', '/feed')).data.length).toBe(1);
  await page.goto('/fan/feed');
  const entry = page.getByRole('article');
  const expectWhole = async (height: number, lowest: number) => {
    const seal = await boxOf(entry.locator('.seal').filter({ hasText: '$8.00' }));
    const picture = await boxOf(entry.locator('.pic').first());
    const own = await entry
      .locator('img')
      .first()
      .evaluate((img: HTMLImageElement) => Number(img.getAttribute('width')) / Number(img.getAttribute('height')));
    expect(seal.y + seal.height).toBeLessThanOrEqual(lowest);
    expect(picture.height).toBeLessThanOrEqual(height * 0.7 + 1);
    expect(picture.width / picture.height).toBeCloseTo(own, 1);
  };
  await expectWhole(844, (await boxOf(page.locator('.tabbar'))).y);
  expect(await shiftOf(page)).toBeLessThan(0.02);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.locator('.tabbar')).toBeHidden();
  await expectWhole(900, 900);
  await page.setViewportSize({ width: 390, height: 844 });

  await page.goto(`/post/${locked}`);
  await hydrated(page);
  await tap(page, page.getByRole('main').getByRole('button', { name: /^Tip / }).first());
  await tap(page, page.getByRole('dialog').getByRole('button', { name: /^Tip \$/ }));
  const toast = page.locator('.toast');
  await expect(toast).toContainText('You tipped');
  const unlock = page.getByRole('button', { name: 'Unlock $8.00' });
  await expect.poll(async () => touches(await boxOf(toast), await boxOf(page.locator('.action-bar')))).toBe(false);
  await tap(page, unlock);
  await expect(page.getByText('Unlocked · $8.00')).toBeVisible();
});

test('the tabs of a profile keep the scroll position', async ({ person, open, apiUser }) => {
  const maker = await apiUser('creator');
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

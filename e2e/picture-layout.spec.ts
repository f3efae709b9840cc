import type { Locator, Page } from '@playwright/test';
import { callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures } from './support/money.ts';
import { tap } from './support/touch.ts';

type Box = { x: number; y: number; width: number; height: number };

async function getBox(target: Locator): Promise<Box> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not shown`);
  return box;
}

const isOverlapping = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function getLayoutShift(page: Page): Promise<number> {
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
  createUser,
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  const fan = await createUser('customer', { isPhone: true });
  const { page } = fan;
  await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  const locked = await publishPictures(creator.context, { caption: 'Portrait of a room', priceUsd: 8 });
  await addFunds(fan.context, 50);
  await expect.poll(async () => (await callApi<{ data: unknown[] }>(fan.context, 'GET', '/feed')).data.length).toBe(1);
  await page.goto('/fan/feed');
  const entry = page.getByRole('article');
  const expectWholePicture = async (height: number, maxBottom: number) => {
    const badge = await getBox(entry.locator('.seal').filter({ hasText: '$8.00' }));
    const picture = await getBox(entry.locator('.pic').first());
    const ratio = await entry
      .locator('img')
      .first()
      .evaluate((img: HTMLImageElement) => Number(img.getAttribute('width')) / Number(img.getAttribute('height')));
    expect(badge.y + badge.height).toBeLessThanOrEqual(maxBottom);
    expect(picture.height).toBeLessThanOrEqual(height * 0.7 + 1);
    expect(picture.width / picture.height).toBeCloseTo(ratio, 1);
  };
  await expectWholePicture(844, (await getBox(page.locator('.tabbar'))).y);
  expect(await getLayoutShift(page)).toBeLessThan(0.02);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.locator('.tabbar')).toBeHidden();
  await expectWholePicture(900, 900);
  await page.setViewportSize({ width: 390, height: 844 });

  await page.goto(`/post/${locked}`);
  await waitForHydration(page);
  await tap(page, page.getByRole('main').getByRole('button', { name: /^Tip / }).first());
  await tap(page, page.getByRole('dialog').getByRole('button', { name: /^Tip \$/ }));
  const toast = page.locator('.toast');
  await expect(toast).toContainText('You tipped');
  const unlock = page.getByRole('button', { name: 'Unlock $8.00' });
  await expect
    .poll(async () => isOverlapping(await getBox(toast), await getBox(page.locator('.action-bar'))))
    .toBe(false);
  await tap(page, unlock);
  await expect(page.getByText('Unlocked · $8.00')).toBeVisible();
});

test('the tabs of a profile keep the scroll position', async ({ createUser, open, createApiUser }) => {
  const creator = await createApiUser('creator');
  const bio = 'A long line about the work and where it is made.\n'.repeat(12);
  await callApi(creator.context, 'PUT', '/creator/profile', { name: 'Ada Vreeland', bio, category: null });
  for (let count = 0; count < 3; count += 1) await publishPictures(creator.context, { caption: `Number ${count}` });
  const { page } = await createUser('customer', { isPhone: true });
  const path = `/profile/${creator.username}`;
  await page.goto(path);
  await waitForHydration(page);
  const tabs = page.getByRole('navigation', { name: 'Profile' });
  await page.evaluate(() => window.scrollTo(0, 400));
  const before = (await getBox(tabs)).y;
  await tap(page, tabs.getByRole('link', { name: 'Media' }));
  await expect(page).toHaveURL(/tab=media/);
  await expect(page.locator('#media')).toBeVisible();
  await expect.poll(async () => Math.abs((await getBox(tabs)).y - before)).toBeLessThanOrEqual(1);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(380);

  const visitor = await open({ isPhone: true });
  await visitor.page.goto(path);
  const visitorTabs = visitor.page.getByRole('navigation', { name: 'Profile' });
  await tap(visitor.page, visitorTabs.getByRole('link', { name: 'Media' }));
  await expect(visitor.page).toHaveURL(/tab=media/);
  await expect(visitorTabs).toBeInViewport();
  await expect.poll(() => visitor.page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
});

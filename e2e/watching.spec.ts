import type { BrowserContext, Page } from '@playwright/test';
import { played, publishFilm } from './support/films.ts';
import { callApi, expect, expectAccessible, hydrated, type Person, test } from './support/fixtures.ts';
import { addFunds, tryMove } from './support/money.ts';
import { publishSmallFilm, sharedFilm } from './support/small-films.ts';

test.use({ isSavingData: false });

const LONG = 180_000;

async function begin(page: Page, name: RegExp = /^Play /): Promise<void> {
  await page.getByRole('button', { name }).first().click();
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
}

async function openFilm(page: Page, postId: string): Promise<void> {
  await page.goto(`/post/${postId}`);
  await hydrated(page);
}

async function follow(fan: BrowserContext, maker: Person): Promise<void> {
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  await callApi(fan, 'POST', `/customer/follow/${id}`, { isFollowed: true });
}

test('a film loads its script on Play, buffers 15 s ahead, changes the rendition, and obeys the keys', async ({
  browser,
  person,
}) => {
  test.setTimeout(LONG);
  const { postId } = await sharedFilm(browser);
  const { page } = await person('customer');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openFilm(page, postId);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => /hls|m3u8|video-player/.test(path))).toEqual([]);
  await begin(page);
  expect(asked.some((path) => path.endsWith('/h/master.m3u8'))).toBe(true);
  expect(await played(page)).toMatchObject({ isPaused: false, isByScript: true });
  await page.keyboard.press('k');
  await expect.poll(async () => (await played(page)).ahead).toBeGreaterThan(8);
  // One more segment than the 15 s of row C10 may be in flight when they are reached.
  expect((await played(page)).ahead).toBeLessThanOrEqual(15 + 2 * 4);

  const choose = async (quality: string, height: number) => {
    await page.getByRole('button', { name: /^Quality: / }).click();
    await page.getByRole('menuitemradio', { name: quality }).click();
    await expect.poll(async () => (await played(page)).height, { timeout: 20_000 }).toBe(height);
  };
  await choose('360p', 360);
  await choose('480p', 480);

  const bar = page.getByRole('slider', { name: 'Position' });
  await bar.focus();
  await page.keyboard.press('5');
  await expect.poll(async () => Math.round((await played(page)).time)).toBe(33);
  await expect(bar).toHaveAttribute('aria-valuetext', '00:33 of 01:06');
  await page.keyboard.press('j');
  await expect.poll(async () => Math.round((await played(page)).time)).toBe(23);
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => Math.round((await played(page)).time)).toBe(28);
  for (const key of ['ArrowDown', 'ArrowDown', '>', 'm']) await page.keyboard.press(key);
  expect(await played(page)).toMatchObject({ volume: 0.9, rate: 1.25, isMuted: true });
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('ArrowUp');
  expect((await played(page)).volume).toBe(1);
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('player');
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  await page.getByRole('button', { name: /^Like/ }).focus();
  const { isMuted } = await played(page);
  await page.keyboard.press('m');
  expect((await played(page)).isMuted).toBe(isMuted);
  const row = await page.locator('.player__row').boundingBox();
  expect(row?.height).toBeGreaterThanOrEqual(50);
  await expectAccessible(page);
});

test('position, volume and speed are saved, and the film resumes after a reload', async ({ browser, person }) => {
  test.setTimeout(LONG);
  const { postId, mediaId, caption } = await sharedFilm(browser);
  const fan = await person('customer');
  const { page } = fan;
  await openFilm(page, postId);
  await begin(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('>');
  await page.keyboard.press('5');
  await expect.poll(async () => Math.floor((await played(page)).time)).toBeGreaterThanOrEqual(33);
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole('button', { name: /resume at 00:3\d/i })).toBeVisible();
  const { seconds } = await callApi<{ seconds: number }>(fan.context, 'GET', `/media/${mediaId}/position`);
  expect(seconds).toBeGreaterThanOrEqual(33);
  await page.goto('/fan');
  await page.getByRole('region', { name: 'Where you stopped' }).getByRole('link', { name: caption }).first().click();
  await begin(page, /resume at/i);
  const after = await played(page);
  expect(after.time).toBeGreaterThanOrEqual(33);
  expect(after).toMatchObject({ volume: 0.95, rate: 1.25 });
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect.poll(async () => (await played(page)).time).toBeLessThan(10);
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expect
    .poll(async () => (await callApi<{ seconds: number }>(fan.context, 'GET', `/media/${mediaId}/position`)).seconds)
    .toBe(0);
});

test('one film plays at a time across all tabs, and pauses when hidden or scrolled away', async ({ person }) => {
  test.setTimeout(LONG);
  const [maker, fan] = [await person('creator'), await person('customer')];
  await follow(fan.context, maker);
  await publishSmallFilm(maker.context, { caption: 'The older one' });
  const { postId } = await publishSmallFilm(maker.context, { caption: 'The newer one' });
  const { page } = fan;
  await page.goto('/fan/feed');
  await hydrated(page);
  await begin(page, /^Play The newer one/);
  await page.getByRole('button', { name: /^Play The older one/ }).click();
  await expect.poll(async () => (await played(page, 1)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  expect((await played(page, 0)).isPaused).toBe(true);

  await page.getByRole('region', { name: 'Video: The newer one' }).getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await played(page, 1)).isPaused).toBe(true);
  const elsewhere = await fan.context.newPage();
  await openFilm(elsewhere, postId);
  await begin(elsewhere);
  await expect.poll(async () => (await played(page, 0)).isPaused).toBe(true);

  // Headless Chromium never hides a tab, so the event is dispatched.
  await elsewhere.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(async () => (await played(elsewhere)).isPaused).toBe(true);

  await page.getByRole('region', { name: 'Video: The newer one' }).getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await played(page, 0)).isPaused).toBe(false);
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(async () => (await played(page, 0)).isPaused).toBe(true);
});

test('picture-in-picture continues while its page is hidden or scrolled away, and ends', async ({
  browser,
  person,
}) => {
  test.setTimeout(LONG);
  const { postId } = await sharedFilm(browser);
  const { page } = await person('customer');
  await openFilm(page, postId);
  await begin(page);
  const isApart = () => page.evaluate(() => document.pictureInPictureElement instanceof HTMLVideoElement);
  const pip = page.getByRole('button', { name: 'Picture in picture' });
  await pip.click();
  await expect.poll(isApart).toBe(true);
  // Headless Chromium never hides a tab, so the event is dispatched.
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const { time } = await played(page);
  await expect.poll(async () => (await played(page)).time, { timeout: 20_000 }).toBeGreaterThan(time + 0.5);
  expect((await played(page)).isPaused).toBe(false);

  await page.evaluate(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => false }));
  await page.setViewportSize({ width: 1440, height: 900 });
  await pip.focus();
  await page.keyboard.press('Enter');
  await expect.poll(isApart).toBe(false);
});

test('a lost connection and lost access are explained, and after a purchase the film plays again', async ({
  person,
}) => {
  test.setTimeout(LONG);
  const [maker, fan] = [await person('creator'), await person('customer')];
  const { postId, mediaId } = await publishSmallFilm(maker.context, { caption: 'Free for now' });
  const { page } = fan;
  await addFunds(fan.context, 20);
  await openFilm(page, postId);
  await begin(page);
  await fan.context.setOffline(true);
  await page.keyboard.press('9');
  await expect(page.getByText('You’re offline. It goes on by itself once you’re back.')).toBeVisible();
  await fan.context.setOffline(false);
  await expect.poll(async () => (await played(page)).time, { timeout: 30_000 }).toBeGreaterThan(60);

  await page.reload();
  await hydrated(page);
  await begin(page);
  await callApi(maker.context, 'PATCH', `/post/${postId}`, {
    caption: 'No longer free',
    price: 5,
    media: [{ id: mediaId, alt: '' }],
  });
  await page.keyboard.press('0');
  await page.keyboard.press('8');
  await expect(page.getByText('You no longer have access to this.')).toBeVisible({ timeout: 40_000 });
  expect((await played(page)).isPaused).toBe(true);
  await page.getByRole('button', { name: 'See what changed' }).click();
  await expect(page.getByRole('button', { name: /^Unlock.*\$5\.00/ })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);

  expect((await tryMove(fan.context, `/post/unlock/${postId}`, { price: 5 })).status).toBe(200);
  await page.reload();
  await hydrated(page);
  await begin(page);
});

test('a teaser plays for those who have not paid, with and without script', async ({ person, open }) => {
  test.setTimeout(LONG);
  const [maker, fan] = [await person('creator'), await person('customer')];
  const { postId, mediaId } = await publishSmallFilm(maker.context, { caption: 'Behind a door', priceUsd: 5 });
  const change = await maker.context.request.patch(`/api/creator/media/${mediaId}`, {
    data: { teaser: { start: 4, end: 24 } },
  });
  expect(change.status(), await change.text()).toBe(200);
  const { page } = fan;
  const taste = page.getByRole('button', { name: 'Play the preview of Behind a door, Preview 00:20' });
  await expect(async () => {
    await openFilm(page, postId);
    await expect(taste).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expectAccessible(page);
  await begin(page, /^Play the preview/);
  await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute('aria-valuemax', '20');

  const visitor = await open({ hasScript: false });
  await visitor.page.goto(`/post/${postId}`);
  const plain = visitor.page.locator('video');
  await expect(plain).toHaveAttribute('aria-label', 'Preview of Behind a door');
  expect(
    await plain.locator('source').evaluateAll((sources) => sources.map((each) => each.getAttribute('src'))),
  ).toEqual([expect.stringMatching(/^\/media\/public\/t\//)]);
});

test('a film plays on a visitor’s page and in an embed, without script', async ({ browser, open }) => {
  test.setTimeout(LONG);
  const { postId } = await sharedFilm(browser);
  const { page } = await open({ hasScript: false });
  await page.goto(`/post/${postId}`);
  expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
  await expect(page.locator('video')).toHaveAttribute('preload', 'metadata');
  await page.locator('video').focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);

  await page.goto(`/embed/post/${postId}`);
  const framed = page.locator('video');
  await expect(framed.locator('source').first()).toHaveAttribute('type', 'application/vnd.apple.mpegurl');
  await framed.focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await framed.evaluate((video) => (video instanceof HTMLVideoElement ? video.currentSrc : ''))).toMatch(
    /master\.m3u8$/,
  );
});

test('a sound plays with a waveform to seek in, and obeys the same keys', async ({ person }) => {
  test.setTimeout(LONG);
  const [maker, fan] = [await person('creator'), await person('customer')];
  const { postId } = await publishFilm(maker.context, { caption: 'A song', kind: 'audio' });
  const { page } = fan;
  await openFilm(page, postId);
  await page.getByRole('button', { name: /^Play A song/ }).click();
  await expect.poll(async () => (await played(page)).time, { timeout: 20_000 }).toBeGreaterThan(0);
  const bar = page.getByRole('slider', { name: 'Position' });
  await bar.focus();
  await page.keyboard.press('k');
  await page.keyboard.press('5');
  await expect(bar).toHaveAttribute('aria-valuetext', '00:33 of 01:06');
  const box = await bar.boundingBox();
  if (!box) throw new Error('no waveform');
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  await expect.poll(async () => Math.round((await played(page)).time)).toBeLessThan(20);
  await page.keyboard.press('ArrowDown');
  expect((await played(page)).volume).toBe(0.95);
  await expectAccessible(page);
});

import type { Page } from '@playwright/test';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { getPlayerState, publishTestFilm } from './support/films.ts';
import { callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';
import { getSharedFilm, publishSmallFilm } from './support/small-films.ts';

test.use({ isSavingData: false });

const TIMEOUT_MS = 180_000;

async function startFilm(page: Page, name: RegExp = /^Play /): Promise<void> {
  await page.getByRole('button', { name }).first().click();
  await expect.poll(async () => (await getPlayerState(page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
}

async function openFilm(page: Page, postId: string): Promise<void> {
  await page.goto(`/post/${postId}`);
  await waitForHydration(page);
}

test('a film loads its script on Play, buffers 15 s ahead, changes the rendition, obeys the keys, and plays on in picture-in-picture', async ({
  browser,
  createUser,
}) => {
  test.setTimeout(TIMEOUT_MS);
  const { postId } = await getSharedFilm(browser);
  const { page } = await createUser('customer');
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await openFilm(page, postId);
  await page.waitForLoadState('networkidle');
  expect(requestedPaths.filter((path) => /hls|m3u8|video-player/.test(path))).toEqual([]);
  await startFilm(page);
  expect(requestedPaths.some((path) => path.endsWith('/h/master.m3u8'))).toBe(true);
  expect(await getPlayerState(page)).toMatchObject({ isPaused: false, hasMediaSource: true });
  await page.keyboard.press('k');
  await expect.poll(async () => (await getPlayerState(page)).bufferedSeconds).toBeGreaterThan(8);
  // One more segment than the 15 s of row C10 may be in flight when they are reached.
  expect((await getPlayerState(page)).bufferedSeconds).toBeLessThanOrEqual(15 + 2 * 4);

  const chooseQuality = async (quality: string, height: number) => {
    await page.getByRole('button', { name: /^Quality: / }).click();
    await page.getByRole('menuitemradio', { name: quality }).click();
    await expect.poll(async () => (await getPlayerState(page)).height, { timeout: 20_000 }).toBe(height);
  };
  await chooseQuality('360p', 360);
  await chooseQuality('480p', 480);

  const bar = page.getByRole('slider', { name: 'Position' });
  await bar.focus();
  await page.keyboard.press('5');
  await expect.poll(async () => Math.round((await getPlayerState(page)).time)).toBe(33);
  await expect(bar).toHaveAttribute('aria-valuetext', '00:33 of 01:06');
  await page.keyboard.press('j');
  await expect.poll(async () => Math.round((await getPlayerState(page)).time)).toBe(23);
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => Math.round((await getPlayerState(page)).time)).toBe(28);
  for (const key of ['ArrowDown', 'ArrowDown', '>', 'm']) await page.keyboard.press(key);
  expect(await getPlayerState(page)).toMatchObject({ volume: 0.9, rate: 1.25, isMuted: true });
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('ArrowUp');
  expect((await getPlayerState(page)).volume).toBe(1);
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('player');
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  await page.getByRole('button', { name: /^Like/ }).focus();
  const { isMuted } = await getPlayerState(page);
  await page.keyboard.press('m');
  expect((await getPlayerState(page)).isMuted).toBe(isMuted);
  const row = await page.locator('.player__row').boundingBox();
  expect(row?.height).toBeGreaterThanOrEqual(50);
  await expectAccessible(page);

  await bar.focus();
  await page.keyboard.press('k');
  await expect.poll(async () => (await getPlayerState(page)).isPaused).toBe(false);
  const isPictureInPicture = () => page.evaluate(() => document.pictureInPictureElement instanceof HTMLVideoElement);
  const pip = page.getByRole('button', { name: 'Picture in picture' });
  await pip.click();
  await expect.poll(isPictureInPicture).toBe(true);
  // Headless Chromium never hides a tab, so the event is dispatched.
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const { time } = await getPlayerState(page);
  await expect.poll(async () => (await getPlayerState(page)).time, { timeout: 20_000 }).toBeGreaterThan(time + 0.5);
  expect((await getPlayerState(page)).isPaused).toBe(false);

  await page.evaluate(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => false }));
  await page.setViewportSize({ width: 1440, height: 900 });
  await pip.focus();
  await page.keyboard.press('Enter');
  await expect.poll(isPictureInPicture).toBe(false);
});

test('position, volume and speed are saved, and the film resumes after a reload', async ({ browser, createUser }) => {
  test.setTimeout(TIMEOUT_MS);
  const { postId, mediaId, caption } = await getSharedFilm(browser);
  const fan = await createUser('customer');
  const { page } = fan;
  await openFilm(page, postId);
  await startFilm(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('>');
  await page.keyboard.press('5');
  await expect.poll(async () => Math.floor((await getPlayerState(page)).time)).toBeGreaterThanOrEqual(33);
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole('button', { name: /resume at 00:3\d/i })).toBeVisible();
  const position = async () =>
    (await callApi<{ seconds: number }>(fan.context, 'GET', `/media/${mediaId}/position`)).seconds;
  expect(await position()).toBeGreaterThanOrEqual(33);
  await page.getByRole('link', { name: 'Stagedoor, home' }).first().click();
  await page.getByRole('region', { name: 'Continue watching' }).getByRole('link', { name: caption }).first().click();
  await startFilm(page, /resume at/i);
  const after = await getPlayerState(page);
  expect(after.time).toBeGreaterThanOrEqual(33);
  expect(after).toMatchObject({ volume: 0.95, rate: 1.25 });
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect.poll(async () => (await getPlayerState(page)).time).toBeLessThan(10);
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expect.poll(position).toBe(0);
});

test('a link to one item opens it, and a film loops there', async ({ browser, createUser }) => {
  test.setTimeout(TIMEOUT_MS);
  const { postId, mediaId } = await getSharedFilm(browser);
  const { page } = await createUser('customer');
  await page.goto(`/post/${postId}#see-${mediaId}`);
  const film = page.locator('.viewer video');
  await expect(film).toHaveAttribute('loop', '');
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.getVideoPlaybackQuality().totalVideoFrames), {
      timeout: 20_000,
    })
    .toBeGreaterThan(0);
  expect((await getPlayerState(page, (await page.locator('video, audio').count()) - 1)).isPaused).toBe(false);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('.viewer')).toHaveCount(0);
  expect(page.url()).not.toContain('#');
});

test('one film plays at a time across all tabs, and pauses when hidden or scrolled away', async ({
  browser,
  createUser,
  createApiUser,
}) => {
  test.setTimeout(TIMEOUT_MS);
  const [older, creator, fan] = [
    await getSharedFilm(browser),
    await createApiUser('creator'),
    await createUser('customer'),
  ];
  for (const id of [older.creatorId, creator.id])
    await callApi(fan.context, 'POST', `/customer/follow/${id}`, { isFollowed: true });
  const { postId } = await publishSmallFilm(creator.context, { caption: 'The newer one' });
  const { page } = fan;
  await page.goto('/fan/feed');
  await waitForHydration(page);
  await startFilm(page, /^Play The newer one/);
  await page.getByRole('button', { name: /^Play A film/ }).click();
  await expect.poll(async () => (await getPlayerState(page, 1)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  expect((await getPlayerState(page, 0)).isPaused).toBe(true);

  await page.getByRole('region', { name: 'Video: The newer one' }).getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await getPlayerState(page, 1)).isPaused).toBe(true);
  const elsewhere = await fan.context.newPage();
  await openFilm(elsewhere, postId);
  await startFilm(elsewhere);
  await expect.poll(async () => (await getPlayerState(page, 0)).isPaused).toBe(true);

  // Headless Chromium never hides a tab, so the event is dispatched.
  await elsewhere.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(async () => (await getPlayerState(elsewhere)).isPaused).toBe(true);

  await page.getByRole('region', { name: 'Video: The newer one' }).getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await getPlayerState(page, 0)).isPaused).toBe(false);
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(async () => (await getPlayerState(page, 0)).isPaused).toBe(true);
});

test('lost access is explained, a teaser plays for those who have not paid, and the bought film goes on after a lost connection', async ({
  createUser,
  createApiUser,
  open,
}) => {
  test.setTimeout(TIMEOUT_MS);
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer')];
  const { postId, mediaId } = await publishSmallFilm(creator.context, { caption: 'Free for now' });
  const { page } = fan;
  await addFunds(fan.context, 20);
  await openFilm(page, postId);
  await startFilm(page);
  const [film] = (await callApi<Post>(fan.context, 'GET', `/post/${postId}`)).media;
  const playlist = film?.isLocked === false ? (film.stream?.hls ?? '') : '';
  expect(playlist).toContain('.m3u8');
  await callApi(creator.context, 'PATCH', `/post/${postId}`, {
    caption: 'No longer free',
    price: 5,
    media: [{ id: mediaId, alt: '' }],
  });
  await expect.poll(async () => (await fan.context.request.get(playlist)).ok()).toBe(false);
  await page.keyboard.press('8');
  await expect(page.getByText('You no longer have access to this.')).toBeVisible();
  expect((await getPlayerState(page)).isPaused).toBe(true);
  await page.getByRole('button', { name: 'View details' }).click();
  const unlock = page.getByRole('button', { name: /^Unlock.*\$5\.00/ });
  await expect(unlock).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);

  await callApi(creator.context, 'PATCH', `/creator/media/${mediaId}`, { teaser: { start: 4, end: 24 } });
  await expect
    .poll(async () => JSON.stringify(await callApi(fan.context, 'GET', `/post/${postId}`)), { timeout: 60_000 })
    .toContain('/media/public/t/');
  await openFilm(page, postId);
  await expect(page.getByRole('button', { name: 'Play the preview of No longer free, Preview 00:20' })).toBeVisible();
  await expectAccessible(page);
  await startFilm(page, /^Play the preview/);
  const bar = page.getByRole('slider', { name: 'Position' });
  await expect(bar).toHaveAttribute('aria-valuemax', '20');

  const visitor = await open({ hasScript: false });
  await visitor.page.goto(`/post/${postId}`);
  const plainVideo = visitor.page.locator('video');
  await expect(plainVideo).toHaveAttribute('aria-label', 'Preview of No longer free');
  expect(
    await plainVideo.locator('source').evaluateAll((sources) => sources.map((each) => each.getAttribute('src'))),
  ).toEqual([expect.stringMatching(/^\/media\/public\/t\//)]);

  await unlock.click();
  await startFilm(page, /^Play No longer free/);
  await expect(bar).toHaveAttribute('aria-valuetext', / of 01:06$/);
  await fan.context.setOffline(true);
  await page.keyboard.press('9');
  await expect(page.getByText('You’re offline. Playback resumes when you’re back online.')).toBeVisible();
  await fan.context.setOffline(false);
  await expect.poll(async () => (await getPlayerState(page)).time, { timeout: 30_000 }).toBeGreaterThan(60);
});

test('a film plays on a visitor’s page and in an embed, without script', async ({ browser, open }) => {
  test.setTimeout(TIMEOUT_MS);
  const { postId } = await getSharedFilm(browser);
  const { page } = await open({ hasScript: false });
  await page.goto(`/post/${postId}`);
  expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
  await expect(page.locator('video')).toHaveAttribute('preload', 'metadata');
  await page.locator('video').focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await getPlayerState(page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);

  await page.goto(`/embed/post/${postId}`);
  const framed = page.locator('video');
  await expect(framed.locator('source').first()).toHaveAttribute('type', 'application/vnd.apple.mpegurl');
  await framed.focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await getPlayerState(page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await framed.evaluate((video) => (video instanceof HTMLVideoElement ? video.currentSrc : ''))).toMatch(
    /master\.m3u8$/,
  );
});

test('a sound plays with a waveform to seek in, and obeys the same keys', async ({ createUser, createApiUser }) => {
  test.setTimeout(TIMEOUT_MS);
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer')];
  const { postId } = await publishTestFilm(creator.context, { caption: 'A song', kind: 'audio' });
  const { page } = fan;
  await openFilm(page, postId);
  await page.getByRole('button', { name: /^Play A song/ }).click();
  await expect.poll(async () => (await getPlayerState(page)).time, { timeout: 20_000 }).toBeGreaterThan(0);
  const bar = page.getByRole('slider', { name: 'Position' });
  await bar.focus();
  await page.keyboard.press('k');
  await page.keyboard.press('5');
  await expect(bar).toHaveAttribute('aria-valuetext', '00:12 of 00:24');
  const box = await bar.boundingBox();
  if (!box) throw new Error('no waveform');
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  await expect.poll(async () => Math.round((await getPlayerState(page)).time)).toBeLessThan(9);
  await page.keyboard.press('ArrowDown');
  expect((await getPlayerState(page)).volume).toBe(0.95);
  await expectAccessible(page);
});

import type { Page } from '@playwright/test';
import { makeClip, mediaOf, played, untilReady, uploadFile } from './support/films.ts';
import { callApi, expect, expectAccessible, hydrated, test } from './support/fixtures.ts';
import { makeJpeg, publish } from './support/money.ts';
import { publishSmallFilm } from './support/small-films.ts';
import { socketConnected } from './support/socket.ts';

const cards = (page: Page) => page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');

test('uploads appear live with progress or error, are filtered and searched, deleted together and restored', async ({
  person,
}) => {
  const { page, context } = await person('creator');
  await page.goto('/creator/media');
  await expect(page.getByText('Nothing is stored here yet.')).toBeVisible();
  await publish(context, { caption: 'In a set', pictures: 2 });
  const connected = socketConnected(page);
  await page.reload();
  await hydrated(page);
  await connected;
  await expect(cards(page)).toHaveCount(2);
  await page.getByLabel('Files to upload').setInputFiles([
    { name: 'evening.mp4', mimeType: 'video/mp4', buffer: await makeClip() },
    { name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('not a film at all, only words') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
  ]);
  await expect(page.getByText('notes.txt is no picture, video or audio.')).toBeVisible();
  await expect(cards(page).filter({ hasText: 'broken.mp4' })).toContainText('This is a text file.', {
    timeout: 30_000,
  });
  await expect(cards(page).filter({ hasText: 'evening.mp4' })).toContainText('Not in use', { timeout: 30_000 });
  await expect(page.getByText('4 uploads')).toBeVisible();

  await page.getByRole('link', { name: 'In sets' }).click();
  await expect(cards(page)).toHaveCount(2);
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect(cards(page)).toHaveCount(4);
  await page.getByRole('link', { name: 'Not in use', exact: true }).click();
  await expect(cards(page)).toHaveCount(2);
  const search = page.getByRole('searchbox', { name: /^Search titles/ });
  await search.fill('evening');
  await search.press('Enter');
  await expect(cards(page)).toHaveCount(1);
  await page.goto('/creator/media?search=nothing-like-it');
  await expect(page.getByText('Nothing called “nothing-like-it” here.')).toBeVisible();

  await page.goto('/creator/media');
  await hydrated(page);
  await page.getByRole('button', { name: 'Select' }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select broken.mp4' }).check();
  await page.getByRole('button', { name: 'All 2 shown' }).click();
  await expect(page.getByText('2 uploads chosen')).toBeVisible();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 uploads?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(cards(page)).toHaveCount(2);
  const count = async () => (await callApi<{ totalCount: number }>(context, 'GET', '/creator/media')).totalCount;
  expect(await count()).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards(page)).toHaveCount(3);
  expect(await count()).toBe(3);
});

test('an upload shows where it is used, and its title, tags, price, poster, teaser and captions can be changed', async ({
  person,
}) => {
  test.setTimeout(240_000);
  const [maker, fan] = [await person('creator'), await person('customer')];
  const { page, context } = maker;
  const { postId, mediaId } = await publishSmallFilm(context, { caption: 'The firing' });
  await page.goto(`/creator/media/${mediaId}`);
  await hydrated(page);
  await expect(page.getByRole('heading', { level: 1, name: 'film.mp4' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'The firing' })).toHaveAttribute('href', `/post/${postId}`);
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Edit' }).click();
  await hydrated(page);
  await page.getByLabel('Title').fill('Kiln, all night');
  const tags = page.getByRole('textbox', { name: 'Tags' });
  await tags.fill('#Kiln');
  await tags.press('Enter');
  await tags.fill('wood firing, porto,');
  await tags.press('Enter');
  await page.getByRole('radiogroup', { name: 'Offered by default' }).getByText('At a price').click();
  await page.getByLabel('Default price').fill('12');
  await expect(page.getByText('You get').locator('..')).toContainText('$');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => mediaOf(context, mediaId)).toMatchObject({ title: 'Kiln, all night', price: 12 });
  expect((await mediaOf(context, mediaId)).tags[0]).toBe('kiln');

  const posterBefore = (await mediaOf(context, mediaId)).picture?.url;
  await page.getByRole('button', { name: 'Choose a frame' }).click();
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.readyState), { timeout: 20_000 })
    .toBeGreaterThanOrEqual(2);
  await page.getByRole('slider', { name: /^Frame/ }).fill('30');
  await expect.poll(async () => Math.round((await played(page)).time)).toBe(30);
  await page.getByRole('button', { name: 'Use this frame' }).click();
  await expect
    .poll(async () => (await mediaOf(context, mediaId)).picture?.url, { timeout: 30_000 })
    .not.toBe(posterBefore);

  const framePoster = (await mediaOf(context, mediaId)).picture?.url;
  const jpeg = { name: 'own.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(640, 480) };
  await page.getByLabel('Upload a picture').setInputFiles(jpeg);
  await expect
    .poll(async () => (await mediaOf(context, mediaId)).picture?.url, { timeout: 30_000 })
    .not.toBe(framePoster);

  await page.getByRole('region', { name: 'Free taste' }).getByRole('button', { name: 'Choose one' }).click();
  const taste = page.getByRole('region', { name: 'Free taste' });
  await taste.getByRole('slider', { name: /^Begins at/ }).fill('10');
  await taste.getByRole('slider', { name: /^Ends at/ }).fill('66');
  await expect(taste.getByText('00:45 long, 00:45 at most.')).toBeVisible();
  await taste.getByRole('slider', { name: /^Ends at/ }).fill('40');
  await taste.getByRole('button', { name: 'Save the free taste' }).click();
  await expect.poll(async () => (await mediaOf(context, mediaId)).teaser).toEqual({ start: 21, end: 40 });

  const captions = page.getByRole('region', { name: 'Captions' });
  await captions.getByLabel('Language').selectOption('pt');
  await captions.getByRole('button', { name: 'Add captions' }).click();
  await expect(captions.getByText('Choose a file.')).toBeVisible();
  const vtt = 'WEBVTT\n\n00:00.000 --> 01:00.000\nO forno, a noite inteira.\n';
  await captions.getByLabel('File').setInputFiles({ name: 'pt.vtt', mimeType: 'text/vtt', buffer: Buffer.from(vtt) });
  await captions.getByRole('button', { name: 'Add captions' }).click();
  await expect(captions.getByRole('button', { name: 'Remove Português' })).toBeVisible();
  await expectAccessible(page);

  await fan.page.goto(`/post/${postId}`);
  await hydrated(fan.page);
  await fan.page.getByRole('button', { name: /^Play The firing/ }).click();
  await expect.poll(async () => (await played(fan.page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  await fan.page.keyboard.press('c');
  await expect
    .poll(() =>
      fan.page.locator('video').evaluate((video: HTMLVideoElement) => {
        const [cue] = video.textTracks[0]?.activeCues ?? [];
        return cue instanceof VTTCue ? cue.text : '';
      }),
    )
    .toBe('O forno, a noite inteira.');

  await captions.getByRole('button', { name: 'Remove Português' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(async () => (await mediaOf(context, mediaId)).captions).toEqual([]);
});

test('a library with thousands of uploads renders few cards', async ({ person }) => {
  test.setTimeout(90_000);
  const { page, context } = await person('creator');
  const id = await uploadFile(context, await makeJpeg(320, 320), 'one.jpg', 'image/jpeg');
  await untilReady(context, id);
  const one = await mediaOf(context, id);
  const total = 3_000;
  await page.route('**/api/creator/media?**', async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const from = Number(asked.get('offset') ?? 0);
    const data = Array.from({ length: Math.min(30, total - from) }, (_, index) => ({
      media: {
        ...one,
        id: `${id.slice(0, -6)}${String(from + index).padStart(6, '0')}`,
        fileName: `${from + index}.jpg`,
      },
      postId: null,
    }));
    const nextOffset = from + 30 < total ? { nextOffset: String(from + 30) } : {};
    await route.fulfill({ json: { data, limit: 30, totalCount: total, ...nextOffset } });
  });
  await page.goto('/creator/feed');
  await hydrated(page);
  await page.getByRole('main').getByRole('link', { name: 'Media' }).click();
  await expect(page.getByText('3,000 uploads')).toBeVisible();
  let most = 0;
  for (let screens = 0; screens < 40; screens += 1) {
    await page.mouse.wheel(0, 2_500);
    most = Math.max(most, await cards(page).count());
  }
  await expect(
    cards(page)
      .filter({ hasText: /^\d{3,}\.jpg/ })
      .first(),
  ).toBeVisible();
  expect(most).toBeLessThan(120);
});

test('filters that are pressed quickly are combined', async ({ person }) => {
  const { page } = await person('creator');
  await page.goto('/creator/media');
  await hydrated(page);
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(/\/api\/.*type=/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Videos' }).click();
  await page.getByRole('link', { name: 'Not in use' }).click();
  letThrough();
  await expect(page).toHaveURL(/type=video&use=unused$/);
});

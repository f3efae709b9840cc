import type { Page } from '@playwright/test';
import type { Media } from '@stagedoor/contract/media.ts';
import { mediaOf, played } from './support/films.ts';
import { callApi, expect, expectAccessible, hydrated, test } from './support/fixtures.ts';
import { makeJpeg, makePicture, publish } from './support/money.ts';
import { publishSmallFilm } from './support/small-films.ts';
import { socketConnected } from './support/socket.ts';

const cards = (page: Page) => page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');

test('uploads appear live with progress or error, and are filtered, searched, deleted together, restored, and rendered few at a time', async ({
  person,
}) => {
  test.setTimeout(90_000);
  const { page, context } = await person('creator');
  await publish(context, { caption: 'In a set', pictures: 2 });
  const connected = socketConnected(page);
  await page.goto('/creator/media');
  await hydrated(page);
  await connected;
  await expect(cards(page)).toHaveCount(2);
  await page.getByLabel('Files to upload').setInputFiles([
    { name: 'evening.jpg', mimeType: 'image/jpeg', buffer: await makePicture() },
    { name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('not a film at all, only words') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
  ]);
  await expect(page.getByText('notes.txt isn’t supported.')).toBeVisible();
  await expect(cards(page).filter({ hasText: 'broken.mp4' })).toContainText('This is a text file.', {
    timeout: 30_000,
  });
  await expect(cards(page).filter({ hasText: 'evening.jpg' })).toContainText('Unused', { timeout: 30_000 });
  await expect(page.getByText('4 files')).toBeVisible();

  const filter = (name: string) => page.getByRole('link', { name, exact: true });
  const all = (group: string) =>
    page.getByRole('group', { name: group }).getByRole('link', { name: 'All', exact: true });
  await filter('Albums').click();
  await expect(cards(page)).toHaveCount(2);
  // Filters that are pressed quickly are combined.
  const held = Promise.withResolvers<void>();
  await page.route(/\/api\/.*type=/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await filter('Videos').click();
  await filter('Unused').click();
  held.resolve();
  await expect(page).toHaveURL(/type=video&use=unused$/);
  await all('Type').click();
  await expect(cards(page)).toHaveCount(2);
  const search = page.getByRole('searchbox', { name: /^Search titles/ });
  const find = async (words: string) => {
    await search.fill(words);
    await search.press('Enter');
  };
  await find('evening');
  await expect(cards(page)).toHaveCount(1);
  await find('nothing-like-it');
  await expect(page.getByText('No results for “nothing-like-it”.')).toBeVisible();
  await find('');
  await expect(cards(page)).toHaveCount(2);
  await all('Usage').click();
  await expect(cards(page)).toHaveCount(4);

  await page.getByRole('button', { name: 'Select' }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select broken.mp4' }).check();
  await page.getByRole('button', { name: 'All 2 shown' }).click();
  await expect(page.getByText('2 files selected')).toBeVisible();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(cards(page)).toHaveCount(2);
  const list = () => callApi<{ data: { media: Media }[]; totalCount: number }>(context, 'GET', '/creator/media');
  expect((await list()).totalCount).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards(page)).toHaveCount(3);
  const { data, totalCount } = await list();
  expect(totalCount).toBe(3);

  // A library with thousands of uploads renders few cards.
  const [one] = data;
  if (!one) throw new Error('no upload');
  const { id } = one.media;
  const total = 3_000;
  await page.route('**/api/creator/media?**', async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const from = Number(asked.get('offset') ?? 0);
    const thousands = Array.from({ length: Math.min(30, total - from) }, (_, index) => ({
      media: {
        ...one.media,
        id: `${id.slice(0, -6)}${String(from + index).padStart(6, '0')}`,
        fileName: `${from + index}.jpg`,
      },
      postId: null,
    }));
    const nextOffset = from + 30 < total ? { nextOffset: String(from + 30) } : {};
    await route.fulfill({ json: { data: thousands, limit: 30, totalCount: total, ...nextOffset } });
  });
  await filter('Photos').click();
  await expect(page.getByText('3,000 files')).toBeVisible();
  const late = cards(page).filter({ hasText: /^[2-9]\d\d\.jpg/ });
  let most = 0;
  await expect(async () => {
    await page.mouse.wheel(0, 2_500);
    most = Math.max(most, await cards(page).count());
    await expect(late.first()).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 60_000, intervals: [50] });
  expect(most).toBeLessThan(120);
});

test('an upload shows where it is used, and its title, tags, price, poster, teaser and captions can be changed', async ({
  person,
}) => {
  test.setTimeout(240_000);
  const { page, context } = await person('creator');
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
  await page.getByRole('radiogroup', { name: 'Default access' }).getByText('Paid').click();
  await page.getByLabel('Default price').fill('12');
  await expect(page.getByText('You earn').locator('..')).toContainText('$');
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
  await page.getByLabel('Upload image').setInputFiles(jpeg);
  await expect
    .poll(async () => (await mediaOf(context, mediaId)).picture?.url, { timeout: 30_000 })
    .not.toBe(framePoster);

  await page.getByRole('region', { name: 'Free preview' }).getByRole('button', { name: 'Choose' }).click();
  const taste = page.getByRole('region', { name: 'Free preview' });
  await taste.getByRole('slider', { name: /^Starts at/ }).fill('10');
  await taste.getByRole('slider', { name: /^Ends at/ }).fill('66');
  await expect(taste.getByText('00:45 long (max 00:45)')).toBeVisible();
  await taste.getByRole('slider', { name: /^Ends at/ }).fill('40');
  await taste.getByRole('button', { name: 'Save free preview' }).click();
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

  const shown = await context.newPage();
  await shown.goto(`/post/${postId}`);
  await hydrated(shown);
  await shown.getByRole('button', { name: /^Play The firing/ }).click();
  await expect.poll(async () => (await played(shown)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  await shown.keyboard.press('c');
  await expect
    .poll(() =>
      shown.locator('video').evaluate((video: HTMLVideoElement) => {
        const [cue] = video.textTracks[0]?.activeCues ?? [];
        return cue instanceof VTTCue ? cue.text : '';
      }),
    )
    .toBe('O forno, a noite inteira.');

  await captions.getByRole('button', { name: 'Remove Português' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(async () => (await mediaOf(context, mediaId)).captions).toEqual([]);
});

import type { Page } from '@playwright/test';
import type { Media } from '@stagedoor/contract/content/media.ts';
import { fetchMedia, getPlayerState } from './support/films.ts';
import { callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { makeJpeg, makePicture, publishPictures } from './support/money.ts';
import { publishSmallFilm } from './support/small-films.ts';
import { waitForSocket } from './support/socket.ts';

const getCards = (page: Page) => page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');

test('uploads appear live with progress or error, and are filtered, searched, deleted together, restored, and rendered few at a time', async ({
  createUser,
}) => {
  test.setTimeout(90_000);
  const { page, context } = await createUser('creator');
  await publishPictures(context, { caption: 'In a set', pictures: 2 });
  const connected = waitForSocket(page);
  await page.goto('/creator/media');
  await waitForHydration(page);
  await connected;
  await expect(getCards(page)).toHaveCount(2);
  await page.getByLabel('Files to upload').setInputFiles([
    { name: 'evening.jpg', mimeType: 'image/jpeg', buffer: await makePicture() },
    { name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('not a film at all, only words') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
  ]);
  await expect(page.getByText('notes.txt isn’t supported.')).toBeVisible();
  await expect(getCards(page).filter({ hasText: 'broken.mp4' })).toContainText('This is a text file.', {
    timeout: 30_000,
  });
  await expect(getCards(page).filter({ hasText: 'evening.jpg' })).toContainText('Unused', { timeout: 30_000 });
  await expect(page.getByText('4 files')).toBeVisible();

  const getFilter = (name: string) => page.getByRole('link', { name, exact: true });
  const all = (group: string) =>
    page.getByRole('group', { name: group }).getByRole('link', { name: 'All', exact: true });
  await getFilter('Albums').click();
  await expect(getCards(page)).toHaveCount(2);
  // Filters that are pressed quickly are combined.
  const released = Promise.withResolvers<void>();
  await page.route(/\/api\/.*type=/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await getFilter('Videos').click();
  await getFilter('Unused').click();
  released.resolve();
  await expect(page).toHaveURL(/type=video&use=unused$/);
  await all('Type').click();
  await expect(getCards(page)).toHaveCount(2);
  const search = page.getByRole('searchbox', { name: /^Search titles/ });
  const searchFor = async (query: string) => {
    await search.fill(query);
    await search.press('Enter');
  };
  await searchFor('evening');
  await expect(getCards(page)).toHaveCount(1);
  await searchFor('nothing-like-it');
  await expect(page.getByText('No results for “nothing-like-it”.')).toBeVisible();
  await searchFor('');
  await expect(getCards(page)).toHaveCount(2);
  await all('Usage').click();
  await expect(getCards(page)).toHaveCount(4);

  await page.getByRole('button', { name: 'Select' }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select broken.mp4' }).check();
  await page.getByRole('button', { name: 'All 2 shown' }).click();
  await expect(page.getByText('2 files selected')).toBeVisible();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(getCards(page)).toHaveCount(2);
  const listMedia = () => callApi<{ data: { media: Media }[]; totalCount: number }>(context, 'GET', '/creator/media');
  expect((await listMedia()).totalCount).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(getCards(page)).toHaveCount(3);
  const { data, totalCount } = await listMedia();
  expect(totalCount).toBe(3);

  // A library with thousands of uploads renders few cards.
  const [upload] = data;
  if (!upload) throw new Error('no upload');
  const { id } = upload.media;
  const total = 3_000;
  await page.route('**/api/creator/media?**', async (route) => {
    const params = new URL(route.request().url()).searchParams;
    const from = Number(params.get('offset') ?? 0);
    const thousands = Array.from({ length: Math.min(30, total - from) }, (_, index) => ({
      media: {
        ...upload.media,
        id: `${id.slice(0, -6)}${String(from + index).padStart(6, '0')}`,
        fileName: `${from + index}.jpg`,
      },
      postId: null,
    }));
    const nextOffset = from + 30 < total ? { nextOffset: String(from + 30) } : {};
    await route.fulfill({ json: { data: thousands, limit: 30, totalCount: total, ...nextOffset } });
  });
  await getFilter('Photos').click();
  await expect(page.getByText('3,000 files')).toBeVisible();
  const lateCard = getCards(page).filter({ hasText: /^[2-9]\d\d\.jpg/ });
  let maxRendered = 0;
  await expect(async () => {
    await page.mouse.wheel(0, 2_500);
    maxRendered = Math.max(maxRendered, await getCards(page).count());
    await expect(lateCard.first()).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 60_000, intervals: [50] });
  expect(maxRendered).toBeLessThan(120);
});

test('an upload shows where it is used, and its title, tags, price, poster, teaser and captions can be changed', async ({
  createUser,
}) => {
  test.setTimeout(240_000);
  const { page, context } = await createUser('creator');
  const { postId, mediaId } = await publishSmallFilm(context, { caption: 'The firing' });
  await page.goto(`/creator/media/${mediaId}`);
  await waitForHydration(page);
  await expect(page.getByRole('heading', { level: 1, name: 'film.mp4' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'The firing' })).toHaveAttribute('href', `/post/${postId}`);
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Edit' }).click();
  await waitForHydration(page);
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
  await expect.poll(async () => fetchMedia(context, mediaId)).toMatchObject({ title: 'Kiln, all night', price: 12 });
  expect((await fetchMedia(context, mediaId)).tags[0]).toBe('kiln');
  // On a phone the field can still have the focus while the form is submitted.
  await tags.fill('night');
  await tags.evaluate((input: HTMLInputElement) => input.form?.requestSubmit());
  await expect.poll(async () => (await fetchMedia(context, mediaId)).tags).toEqual(['kiln', 'night']);
  await expect(page.getByRole('button', { name: 'Remove night' })).toHaveCount(0);
  await tags.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove night' })).toBeVisible();

  const posterBefore = (await fetchMedia(context, mediaId)).picture?.url;
  await page.getByRole('button', { name: 'Choose a frame' }).click();
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.readyState), { timeout: 20_000 })
    .toBeGreaterThanOrEqual(2);
  await page.getByRole('slider', { name: /^Frame/ }).fill('30');
  await expect.poll(async () => Math.round((await getPlayerState(page)).time)).toBe(30);
  await page.getByRole('button', { name: 'Use this frame' }).click();
  await expect
    .poll(async () => (await fetchMedia(context, mediaId)).picture?.url, { timeout: 30_000 })
    .not.toBe(posterBefore);

  const framePoster = (await fetchMedia(context, mediaId)).picture?.url;
  const jpeg = { name: 'own.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(640, 480) };
  await page.getByLabel('Upload image').setInputFiles(jpeg);
  await expect
    .poll(async () => (await fetchMedia(context, mediaId)).picture?.url, { timeout: 30_000 })
    .not.toBe(framePoster);

  await page.getByRole('region', { name: 'Free preview' }).getByRole('button', { name: 'Choose' }).click();
  const teaser = page.getByRole('region', { name: 'Free preview' });
  await teaser.getByRole('slider', { name: /^Starts at/ }).fill('10');
  await teaser.getByRole('slider', { name: /^Ends at/ }).fill('66');
  await expect(teaser.getByText('00:45 long (max 00:45)')).toBeVisible();
  await teaser.getByRole('slider', { name: /^Ends at/ }).fill('40');
  await teaser.getByRole('button', { name: 'Save free preview' }).click();
  await expect.poll(async () => (await fetchMedia(context, mediaId)).teaser).toEqual({ start: 21, end: 40 });

  const captions = page.getByRole('region', { name: 'Captions' });
  await captions.getByLabel('Language').selectOption('pt');
  await captions.getByRole('button', { name: 'Add captions' }).click();
  await expect(captions.getByText('Choose a file.')).toBeVisible();
  const vtt = 'WEBVTT\n\n00:00.000 --> 01:00.000\nO forno, a noite inteira.\n';
  await captions.getByLabel('File').setInputFiles({ name: 'pt.vtt', mimeType: 'text/vtt', buffer: Buffer.from(vtt) });
  await captions.getByRole('button', { name: 'Add captions' }).click();
  await expect(captions.getByRole('button', { name: 'Remove Português' })).toBeVisible();
  await expectAccessible(page);

  const fanPage = await context.newPage();
  await fanPage.goto(`/post/${postId}`);
  await waitForHydration(fanPage);
  await fanPage.getByRole('button', { name: /^Play The firing/ }).click();
  await expect.poll(async () => (await getPlayerState(fanPage)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  await fanPage.keyboard.press('c');
  await expect
    .poll(() =>
      fanPage.locator('video').evaluate((video: HTMLVideoElement) => {
        const [cue] = video.textTracks[0]?.activeCues ?? [];
        return cue instanceof VTTCue ? cue.text : '';
      }),
    )
    .toBe('O forno, a noite inteira.');

  await captions.getByRole('button', { name: 'Remove Português' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(async () => (await fetchMedia(context, mediaId)).captions).toEqual([]);
});

/** A picture that moves, as its fans see it: silent, over and over, while it is in view and moving is welcome. */
import { makeMovingPicture, played, untilReady, uploadFile } from './support/films.ts';
import { callApi, expect, expectAccessible, hydrated, type Person, test } from './support/fixtures.ts';

async function publishLoop({ context }: Person): Promise<string> {
  const id = await uploadFile(context, await makeMovingPicture(), 'dance.gif', 'image/gif');
  await untilReady(context, id);
  const body = { caption: 'A dance', price: 0, media: [{ id, alt: '' }] };
  return (await callApi<{ id: string }>(context, 'POST', '/post', body)).id;
}

test('a moving picture plays by itself, silent, over and over, and stops when told', async ({ person }) => {
  test.setTimeout(120_000);
  const postId = await publishLoop(await person('creator'));
  const { page } = await person('customer');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/post/${postId}`);
  await hydrated(page);
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
  expect(await played(page)).toMatchObject({ isPaused: false, isMuted: true });
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => [video.loop, video.controls])).toEqual([
    true,
    false,
  ]);
  // No script for streams is fetched for it, and there is nothing to make it loud.
  expect(asked.filter((each) => /hls|m3u8/.test(each))).toEqual([]);
  await expect(page.getByRole('button', { name: /mute|volume/i })).toHaveCount(0);
  // Further than its length: it began anew.
  const shown = () =>
    page.locator('video').evaluate((video: HTMLVideoElement) => video.played.length > 0 && video.currentTime);
  const before = (await played(page)).frames;
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(before + 110);
  expect(await shown()).toBeLessThan(5);
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Pause / }).click();
  expect((await played(page)).isPaused).toBe(true);
  await page.getByRole('button', { name: /^Play / }).click();
  await expect.poll(async () => (await played(page)).isPaused).toBe(false);
});

test('a moving picture stands still for who asks for stillness, until its button is pressed', async ({ person }) => {
  test.setTimeout(120_000);
  const postId = await publishLoop(await person('creator'));
  const { page } = await person('customer');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/post/${postId}`);
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  await expect(page.locator('video')).toHaveCount(0);
  await page.getByRole('button', { name: /^Play / }).click();
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
  expect(await played(page)).toMatchObject({ isMuted: true });
});

import { makeMovingPicture, played, untilReady, uploadFile } from './support/films.ts';
import { type ApiClient, callApi, expect, expectAccessible, hydrated, test } from './support/fixtures.ts';

test.use({ isSavingData: false });

async function publishLoop(context: ApiClient): Promise<string> {
  const id = await uploadFile(context, await makeMovingPicture(), 'dance.gif', 'image/gif');
  await untilReady(context, id);
  const body = { caption: 'A dance', price: 0, media: [{ id, alt: '' }] };
  return (await callApi<{ id: string }>(context, 'POST', '/post', body)).id;
}

test('an animated picture waits for a press with reduced motion, and else plays muted in a loop until paused', async ({
  person,
  apiUser,
}) => {
  const postId = await publishLoop((await apiUser('creator')).context);
  const { page } = await person('customer');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/post/${postId}`);
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  await expect(page.locator('video')).toHaveCount(0);
  await page.getByRole('button', { name: /^Play / }).click();
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
  expect(await played(page)).toMatchObject({ isMuted: true });

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.reload();
  await hydrated(page);
  await expect.poll(async () => (await played(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
  expect(await played(page)).toMatchObject({ isPaused: false, isMuted: true });
  const video = page.locator('video');
  expect(await video.evaluate((element: HTMLVideoElement) => [element.loop, element.controls])).toEqual([true, false]);
  expect(asked.filter((each) => /hls|m3u8/.test(each))).toEqual([]);
  await expect(page.getByRole('button', { name: /mute|volume/i })).toHaveCount(0);
  const end = await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = element.duration - 0.5;
    return element.currentTime;
  });
  await expect.poll(async () => (await played(page)).time, { timeout: 20_000 }).toBeLessThan(end);
  expect((await played(page)).isPaused).toBe(false);
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Pause / }).click();
  expect((await played(page)).isPaused).toBe(true);
  await page.getByRole('button', { name: /^Play / }).click();
  await expect.poll(async () => (await played(page)).isPaused).toBe(false);
});

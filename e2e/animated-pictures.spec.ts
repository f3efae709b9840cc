import { getPlayerState, makeMovingPicture, uploadTestFile, waitForProcessing } from './support/films.ts';
import { type ApiClient, callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';

test.use({ isSavingData: false });

async function publishAnimatedPicture(context: ApiClient): Promise<string> {
  const id = await uploadTestFile(context, await makeMovingPicture(), 'dance.gif', 'image/gif');
  await waitForProcessing(context, id);
  const body = { caption: 'A dance', price: 0, media: [{ id, alt: '' }] };
  return (await callApi<{ id: string }>(context, 'POST', '/post', body)).id;
}

test('an animated picture waits for a press with reduced motion, and else plays muted in a loop until paused', async ({
  createUser,
  createApiUser,
}) => {
  const postId = await publishAnimatedPicture((await createApiUser('creator')).context);
  const { page } = await createUser('customer');
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/post/${postId}`);
  await waitForHydration(page);
  await page.waitForLoadState('networkidle');
  await expect(page.locator('video')).toHaveCount(0);
  await page.getByRole('button', { name: /^Play / }).click();
  await expect.poll(async () => (await getPlayerState(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
  expect(await getPlayerState(page)).toMatchObject({ isMuted: true });

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.reload();
  await waitForHydration(page);
  await expect.poll(async () => (await getPlayerState(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
  expect(await getPlayerState(page)).toMatchObject({ isPaused: false, isMuted: true });
  const video = page.locator('video');
  expect(await video.evaluate((element: HTMLVideoElement) => [element.loop, element.controls])).toEqual([true, false]);
  expect(requestedPaths.filter((each) => /hls|m3u8/.test(each))).toEqual([]);
  await expect(page.getByRole('button', { name: /mute|volume/i })).toHaveCount(0);
  const end = await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = element.duration - 0.5;
    return element.currentTime;
  });
  await expect.poll(async () => (await getPlayerState(page)).time, { timeout: 20_000 }).toBeLessThan(end);
  expect((await getPlayerState(page)).isPaused).toBe(false);
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Pause / }).click();
  expect((await getPlayerState(page)).isPaused).toBe(true);
  await page.getByRole('button', { name: /^Play / }).click();
  await expect.poll(async () => (await getPlayerState(page)).isPaused).toBe(false);
});

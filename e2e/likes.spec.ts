import type { Page, Request } from '@playwright/test';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { type BrowserUser, callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';

const getHeart = (page: Page) => page.getByRole('button', { name: /^Like, / });
const getPost = (fan: BrowserUser, id: string) => callApi<Post>(fan.context, 'GET', `/post/${id}`);

test('quick presses on Like end in the last state with the exact count, and an offline like is sent later', async ({
  createApiUser,
  createUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer')];
  const id = await publishPictures(creator.context, { caption: 'Tapped and tapped' });
  await callApi(creator.context, 'POST', `/post/like-unlike/${id}`, { isLiked: true });
  const { page, context } = fan;
  const pendingRequests = new Set<Request>();
  page.on('request', (request) => request.url().includes('/like-unlike/') && pendingRequests.add(request));
  const removePending = (request: Request) => pendingRequests.delete(request);
  page.on('requestfinished', removePending).on('requestfailed', removePending);
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  for (const [presses, isLiked] of [
    [11, true],
    [7, false],
  ] as const) {
    await getHeart(page).evaluate((button: HTMLElement, count) => {
      for (let index = 0; index < count; index += 1) button.click();
    }, presses);
    await expect(getHeart(page)).toHaveAttribute('aria-pressed', String(isLiked));
    await expect.poll(async () => (await getPost(fan, id)).isLiked).toBe(isLiked);
    // On a slow machine an earlier request may still be in flight.
    await expect.poll(() => pendingRequests.size).toBe(0);
    expect(await getPost(fan, id)).toMatchObject({ isLiked, likeCount: 1 + Number(isLiked) });
    await expect(getHeart(page)).toHaveAccessibleName(isLiked ? 'Like, 2 likes' : 'Like, 1 like');
  }

  for (const isLiked of [true, false]) {
    await getHeart(page).click();
    await expect.poll(async () => (await getPost(fan, id)).isLiked).toBe(isLiked);
  }
  await expect(page.getByRole('region', { name: /^Messages/ })).toBeAttached();
  await context.setOffline(true);
  await getHeart(page).click();
  await expect(page.getByText('You’re offline. We’ll send your like when you’re back.')).toBeVisible();
  await expect(getHeart(page)).toHaveAttribute('aria-pressed', 'true');
  await context.setOffline(false);
  await expect.poll(async () => (await getPost(fan, id)).isLiked).toBe(true);
  expect((await getPost(fan, id)).likeCount).toBe(2);
});

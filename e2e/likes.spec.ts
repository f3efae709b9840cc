import type { Page, Request } from '@playwright/test';
import type { Post } from '@stagedoor/contract/posts.ts';
import { callApi, expect, hydrated, type Person, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

const heart = (page: Page) => page.getByRole('button', { name: /^Like, / });
const asked = (fan: Person, id: string) => callApi<Post>(fan.context, 'GET', `/post/${id}`);

test('quick presses on Like end in the last state with the exact count, and an offline like is sent later', async ({
  apiUser,
  person,
}) => {
  const [maker, fan] = [await apiUser('creator'), await person('customer')];
  const id = await publish(maker.context, { caption: 'Tapped and tapped' });
  await callApi(maker.context, 'POST', `/post/like-unlike/${id}`, { isLiked: true });
  const { page, context } = fan;
  const asking = new Set<Request>();
  page.on('request', (request) => request.url().includes('/like-unlike/') && asking.add(request));
  const answered = (request: Request) => asking.delete(request);
  page.on('requestfinished', answered).on('requestfailed', answered);
  await page.goto(`/post/${id}`);
  await hydrated(page);
  for (const [presses, isLiked] of [
    [11, true],
    [7, false],
  ] as const) {
    await heart(page).evaluate((button: HTMLElement, count) => {
      for (let index = 0; index < count; index += 1) button.click();
    }, presses);
    await expect(heart(page)).toHaveAttribute('aria-pressed', String(isLiked));
    await expect.poll(async () => (await asked(fan, id)).isLiked).toBe(isLiked);
    // On a slow machine an earlier request may still be in flight.
    await expect.poll(() => asking.size).toBe(0);
    expect(await asked(fan, id)).toMatchObject({ isLiked, likeCount: 1 + Number(isLiked) });
    await expect(heart(page)).toHaveAccessibleName(isLiked ? 'Like, 2 likes' : 'Like, 1 like');
  }

  for (const isLiked of [true, false]) {
    await heart(page).click();
    await expect.poll(async () => (await asked(fan, id)).isLiked).toBe(isLiked);
  }
  await expect(page.getByRole('region', { name: /^Messages/ })).toBeAttached();
  await context.setOffline(true);
  await heart(page).click();
  await expect(page.getByText('You’re offline. We’ll send your like when you’re back.')).toBeVisible();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  await context.setOffline(false);
  await expect.poll(async () => (await asked(fan, id)).isLiked).toBe(true);
  expect((await asked(fan, id)).likeCount).toBe(2);
});

import type { Page, Request } from '@playwright/test';
import type { Post } from '@stagedoor/contract/posts.ts';
import { callApi, expect, hydrated, type Person, test } from './support/fixtures.ts';
import { addFunds, publish } from './support/money.ts';

const heart = (page: Page) => page.getByRole('button', { name: /^Like, / });
const asked = (fan: Person, id: string) => callApi<Post>(fan.context, 'GET', `/post/${id}`);

test('quick presses on Like end in the last state with the exact count, and an offline like is sent later', async ({
  person,
}) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
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
    [4, false],
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
  await expect(page.getByText('You’re offline. Your like is sent once you’re back.')).toBeVisible();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true');
  await context.setOffline(false);
  await expect.poll(async () => (await asked(fan, id)).isLiked).toBe(true);
  expect((await asked(fan, id)).likeCount).toBe(2);
});

test('a purchase is hidden after a warning and restored with Undo, and its post stays open', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { width: 390 })];
  const id = await publish(maker.context, { caption: 'Bought once', priceUsd: 4 });
  await addFunds(fan.context, 20);
  await callApi(fan.context, 'POST', `/post/unlock/${id}`, { price: 4 });
  const { page } = fan;
  await page.goto('/fan/media');
  await hydrated(page);
  const card = page.getByRole('main').getByRole('link', { name: /Bought once/ });
  await expect(card).toBeVisible();
  const hide = async () => {
    await page.getByRole('button', { name: 'More about “Bought once”' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hide it from your media?' });
    await expect(dialog).toContainText('The purchase stands');
    await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect(card).toHaveCount(0);
  };
  await hide();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect(card).toBeVisible();
  // A closing toast restores the focus, which closes an open menu.
  await expect(undo).toHaveCount(0);
  await hide();
  await expect(page.getByText('What you unlock hangs here.')).toBeVisible();
  await page.goto(`/post/${id}`);
  await expect(page.getByRole('img', { name: 'Evening light' })).toBeVisible();

  await page.goto('/fan/media?tab=chat');
  await expect(page.getByText('What you unlock in chat hangs here.')).toBeVisible();
  for (const kind of ['Photos', 'Videos', 'Voice notes', 'Files']) {
    await page.getByRole('link', { name: kind, exact: true }).click();
    await expect(page.getByText('You have bought nothing of this kind.')).toBeVisible();
  }
});

test('the dashboard shows new posts and suggestions, and the logo leads there', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const { page } = fan;
  await page.goto('/fan');
  await expect(page.getByText('Your walls are empty.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'You might like' })).toBeVisible();
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  await callApi(fan.context, 'POST', `/customer/follow/${id}`, { isFollowed: true });
  await publish(maker.context, { caption: 'Fresh on the wall' });
  await page.goto('/fan/wallet');
  await hydrated(page);
  await page.getByRole('link', { name: 'Stagedoor, home' }).first().click();
  await expect(page).toHaveURL(/\/fan$/);
  await expect(page.getByRole('link', { name: /Fresh on the wall/ })).toBeVisible();
});

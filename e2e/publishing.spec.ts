import { callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures, tryPost } from './support/money.ts';

test('a post is pinned, edited and removed, and its buyer retains access and can hide it', async ({ createUser }) => {
  const [creator, fan] = [await createUser('creator'), await createUser('customer', { width: 390 })];
  await addFunds(fan.context, 20);
  const id = await publishPictures(creator.context, {
    caption: 'A pair\nTaken on one evening.',
    priceUsd: 5,
    pictures: 2,
  });
  const { page } = creator;
  await page.goto('/creator/feed');
  await waitForHydration(page);
  const card = page.getByRole('listitem').filter({ hasText: 'A pair' });
  await expect(card).toContainText('$5.00 · 0 unlocks');
  await card.getByRole('button', { name: 'Options for A pair' }).click();
  await page.getByRole('menuitem', { name: 'Pin to profile' }).click();
  await expect(page.getByText('Pinned to the top of your profile.')).toBeVisible();
  await expect(card).toContainText('Pinned');
  for (const caption of ['Second', 'Third', 'Fourth']) {
    const other = await publishPictures(creator.context, { caption, priceUsd: 0, pictures: 1 });
    if (caption !== 'Fourth') await callApi(creator.context, 'PUT', `/post/${other}/pin`, { isPinned: true });
  }
  await page.reload();
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Options for Fourth' }).click();
  await expect(page.getByRole('menuitem', { name: 'Pin to profile (unpin one of 3 first)' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Options for A pair' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Caption').fill('A pair, renamed');
  await page.getByLabel('Price').fill('7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'A pair, renamed' })).toContainText('$7.00');

  expect((await tryPost(fan.context, `/post/unlock/${id}`, { price: 5 })).status).toBe(409);
  expect((await tryPost(fan.context, `/post/unlock/${id}`, { price: 7 })).status).toBe(200);
  await page.getByRole('button', { name: 'Options for A pair, renamed' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Delete post' }).click();
  await page.getByRole('dialog', { name: 'Delete this post?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  await page.getByRole('link', { name: 'Deleted' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'A pair, renamed' })).toBeVisible();

  await fan.page.goto('/fan/media');
  await waitForHydration(fan.page);
  const bought = fan.page.getByRole('main').getByRole('link', { name: /A pair, renamed/ });
  await expect(bought).toBeVisible();
  await fan.page.getByRole('button', { name: 'Options for “A pair, renamed”' }).click();
  await fan.page.getByRole('menuitem', { name: 'Hide' }).click();
  const dialog = fan.page.getByRole('dialog', { name: 'Hide from your media?' });
  await expect(dialog).toContainText('You can still view the post on its page');
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(fan.page.getByText('Posts you unlock appear here.')).toBeVisible();
  await fan.page.getByRole('button', { name: 'Undo' }).click();
  await expect(bought).toBeVisible();
  await fan.page.goto(`/post/${id}`);
  await expect(fan.page.getByRole('img', { name: 'Evening light' }).first()).toBeVisible();
});

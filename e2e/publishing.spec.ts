import { expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, publish, tryMove } from './support/money.ts';

test('a post is pinned, edited and removed, and its buyer retains access and can hide it', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { width: 390 })];
  await addFunds(fan.context, 20);
  const id = await publish(maker.context, { caption: 'A pair\nTaken on one evening.', priceUsd: 5, pictures: 2 });
  const { page } = maker;
  await page.goto('/creator/feed');
  await hydrated(page);
  const card = page.getByRole('listitem').filter({ hasText: 'A pair' });
  await expect(card).toContainText('$5.00 · 0 unlocks');
  await card.getByRole('button', { name: 'What to do with A pair' }).click();
  await page.getByRole('menuitem', { name: 'Pin to the top of your profile' }).click();
  await expect(page.getByText('Pinned. It comes first on your profile.')).toBeVisible();
  await expect(card).toContainText('Pinned');
  await card.getByRole('button', { name: 'What to do with A pair' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Caption').fill('A pair, renamed');
  await page.getByLabel('Price').fill('7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'A pair, renamed' })).toContainText('$7.00');

  expect((await tryMove(fan.context, `/post/unlock/${id}`, { price: 5 })).status).toBe(409);
  expect((await tryMove(fan.context, `/post/unlock/${id}`, { price: 7 })).status).toBe(200);
  await page.getByRole('button', { name: 'What to do with A pair, renamed' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Take this post down' }).click();
  await page
    .getByRole('dialog', { name: 'Take this post down?' })
    .getByRole('button', { name: 'Take it down' })
    .click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  await page.getByRole('link', { name: 'Removed' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'A pair, renamed' })).toBeVisible();

  await fan.page.goto('/fan/media');
  await hydrated(fan.page);
  const bought = fan.page.getByRole('main').getByRole('link', { name: /A pair, renamed/ });
  await expect(bought).toBeVisible();
  await fan.page.getByRole('button', { name: 'More about “A pair, renamed”' }).click();
  await fan.page.getByRole('menuitem', { name: 'Hide' }).click();
  const dialog = fan.page.getByRole('dialog', { name: 'Hide it from your media?' });
  await expect(dialog).toContainText('The purchase stands');
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(fan.page.getByText('What you unlock hangs here.')).toBeVisible();
  await fan.page.getByRole('button', { name: 'Undo' }).click();
  await expect(bought).toBeVisible();
  await fan.page.goto(`/post/${id}`);
  await expect(fan.page.getByRole('img', { name: 'Evening light' }).first()).toBeVisible();
});

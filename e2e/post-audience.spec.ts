import type { Page } from '@playwright/test';
import { type ApiClient, callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures } from './support/money.ts';
import { waitForSocket } from './support/socket.ts';
import { createTier } from './support/subscriptions.ts';

const createPricedTier = (creator: ApiClient, name: string, monthaly: number) =>
  createTier(creator, { name, benefits: [], prices: { weekly: null, monthaly, yearly: null } });

async function subscribe(fan: ApiClient, tierId: string, price: number): Promise<void> {
  await addFunds(fan, 50);
  const expected = { today: price, renewal: price };
  await callApi(fan, 'POST', '/customer/subscriptions', { tierId, recurrence: 'monthaly', count: 1, expected });
}

async function openConnected(page: Page, path: string): Promise<void> {
  const connected = waitForSocket(page);
  await page.goto(path);
  await waitForHydration(page);
  await connected;
}

test('a creator moves a post into a tier, and a fan of that tier sees it open', async ({ createUser }) => {
  const creator = await createUser('creator', { width: 390, isPhone: true });
  const fan = await createUser('customer', { width: 390, isPhone: true });
  const other = await createUser('customer', { width: 390, isPhone: true });
  await createPricedTier(creator.context, 'Studio', 6);
  const kiln = await createPricedTier(creator.context, 'Kiln', 12);
  await createPricedTier(creator.context, 'Collector', 40);
  const id = await publishPictures(creator.context, { caption: 'Trimming the big bowl', priceUsd: 18 });
  await publishPictures(creator.context, { caption: 'For everyone' });
  await subscribe(fan.context, kiln.id, 12);
  const follow = { isFollowed: true };
  for (const { context } of [fan, other]) await callApi(context, 'POST', `/customer/follow/${creator.id}`, follow);

  await openConnected(fan.page, `/post/${id}`);
  const included = fan.page.getByText('Included in your subscription');
  await expect(fan.page.getByRole('button', { name: 'Unlock $18.00' })).toBeVisible();

  const { page } = creator;
  await page.goto('/creator/feed');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(page.getByRole('checkbox', { name: 'Select For everyone' })).toBeDisabled();
  await page.getByRole('button', { name: 'Select all paid' }).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('combobox', { name: 'Who can open them' }).selectOption('Kiln and higher');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('1 post moved.')).toBeVisible();
  await expect(page.getByText('Kiln and higher')).toBeVisible();
  await expect(included).toBeVisible();

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Restored.')).toBeVisible();
  await expect(included).toBeHidden();

  await page.goto(`/creator/post/${id}/edit`);
  await waitForHydration(page);
  const field = page.getByRole('combobox', { name: 'Who can open it' });
  await expect(field).toHaveValue('none');
  await field.selectOption('Kiln and higher');
  await expect(page.getByText('Kiln and higher tiers open it while a fan subscribes.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(included).toBeVisible();

  await other.page.goto('/fan/feed');
  const entry = other.page.getByRole('article', { name: 'Trimming the big bowl' });
  await expect(entry.getByText('With Kiln, or $18.00')).toBeVisible();
  await other.page.goto(`/post/${id}`);
  await expect(other.page.getByText('With Kiln, or $18.00')).toBeVisible();
  await expect(other.page.getByRole('link', { name: 'Subscribe to Kiln $12.00/month' })).toHaveAttribute(
    'href',
    `/profile/${creator.username}#subscribe`,
  );
  await expect(other.page.getByText('Kiln opens it while you subscribe. Unlocking keeps it for good.')).toBeVisible();
});

test('a creator without tiers sees where to set them up, and nothing else', async ({ createUser }) => {
  const { page } = await createUser('creator', { width: 390, isPhone: true });
  await page.goto('/creator/post/add');
  await waitForHydration(page);
  await page.getByText('Paid', { exact: true }).click();
  await expect(page.getByRole('link', { name: 'Set up tiers' })).toBeVisible();
  await page.goto('/creator/feed');
  await expect(page.getByRole('button', { name: 'Select', exact: true })).toBeHidden();
});

import { logInAsOperator } from './support/admin.ts';
import { type ApiClient, callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, fetchWalletBalance } from './support/money.ts';
import { createTier } from './support/subscriptions.ts';

async function subscribe(fan: ApiClient, creator: ApiClient): Promise<void> {
  const { id } = await createTier(creator, { name: 'Collector' });
  await addFunds(fan, 30);
  await callApi(fan, 'POST', '/customer/subscriptions', {
    ...{ tierId: id, recurrence: 'monthaly', count: 1, timeZone: 'UTC' },
    expected: { today: 12, renewal: 12 },
  });
}

for (const { name, isPhone } of [
  { name: 'a phone', isPhone: true },
  { name: 'a desktop', isPhone: false },
])
  test(`finance finds a fan’s subscription, reads it and refunds it on ${name}`, async ({
    createApiUser,
    createUser,
  }) => {
    const [fan, creator] = [await createApiUser('customer'), await createApiUser('creator')];
    await subscribe(fan.context, creator.context);
    const account = await createUser('customer', isPhone ? { isPhone: true } : { width: 1440 });
    const page = await logInAsOperator(account, 'finance', '/admin/subscriptions');
    const figures = page.getByRole('region', { name: 'Subscriptions at a glance' });
    for (const figure of [
      'Due in 24 hours',
      'Due in 7 days',
      'Failing now',
      'Ended unpaid',
      'Refunded',
      'Charged back',
    ])
      await expect(figures).toContainText(figure);
    await expectAccessible(page);

    await page.getByPlaceholder('Username or email of a fan or creator').fill(fan.username);
    await page.getByPlaceholder('Username or email of a fan or creator').press('Enter');
    await expect(page).toHaveURL(new RegExp(`user=${fan.username}`));
    const row = page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem');
    await expect(row).toHaveCount(1);
    await expect(row).toContainText('Collector, monthly · Balance · Active');
    await expect(row.getByRole('link', { name: 'View latest sale' })).toBeVisible();
    await row.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/admin\/subscriptions\/[0-9a-f-]{36}$/);
    await waitForHydration(page);
    await expect(page.getByRole('list', { name: 'Periods' })).toContainText('$12.00');
    await expect(page.getByRole('list', { name: 'Events, UTC' })).toContainText('Period 1 charged');
    await expectAccessible(page);

    await page.getByRole('radio', { name: /^Refund period 1/ }).check({ force: true });
    await page.getByLabel('Reason').fill('The fan wrote to us');
    await page.getByRole('button', { name: 'Refund $12.00' }).click();
    await expect(page.getByText('Period refunded.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Events, UTC' })).toContainText('Period 1 refunded');
    await expect(page.getByText('$12.00 refunded')).toBeVisible();
    expect(await fetchWalletBalance(fan.context)).toBe(30);
  });

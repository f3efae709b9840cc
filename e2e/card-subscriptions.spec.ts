import { callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import {
  addFunds,
  CARDS,
  controlSandbox,
  fetchTransactions,
  fetchWalletBalance,
  payByCard,
  setSandboxBehaviour,
} from './support/money.ts';
import { createTier, fetchSubscriptions } from './support/subscriptions.ts';
import { tap } from './support/touch.ts';

// The behaviour of the sandbox and its clock apply to the whole server.
test.describe.configure({ mode: 'serial' });

test.afterEach(async ({ createApiUser }) => setSandboxBehaviour((await createApiUser('customer')).context));

test('a fan subscribes by card on a phone, the processor renews it, and one press cancels', async ({
  createApiUser,
  createUser,
}) => {
  const creator = await createApiUser('creator');
  await createTier(creator.context);
  const { page, context } = await createUser('customer', { isPhone: true, timeZone: 'Europe/Lisbon' });
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Studio' });
  const main = page.getByRole('main');

  await test.step('the dialog shows what the card is charged, when and how often', async () => {
    await page.goto(`/profile/${creator.username}`);
    await waitForHydration(page);
    await tap(page, page.getByRole('button', { name: 'Subscribe to Studio $12.00 today' }));
    await expect(dialog).toContainText('$12.00 missing');
    await tap(page, dialog.getByRole('radio', { name: /^Card/ }).locator('xpath=ancestor::label'));
    await expect(dialog.getByText(/^Renews on/).locator('xpath=..')).toContainText('$12.24');
    await expect(dialog).toContainText('Your card is charged every 30 days, next on ');
    await expectAccessible(page);
  });

  await test.step('a declined card starts nothing and leads back to the tier', async () => {
    await tap(page, dialog.getByRole('button', { name: 'Continue to payment $12.24 today' }));
    await expect(page.getByText('Then every 30 days, until you cancel')).toBeVisible();
    await payByCard(page, CARDS.declined);
    await expect(page.getByRole('heading', { name: 'Payment failed' })).toBeVisible();
    await expect(main).toContainText('Your subscription didn’t start.');
    await tap(page, page.getByRole('link', { name: 'Try again' }));
    await expect(page.getByRole('button', { name: 'Subscribe to Studio $12.00 today' })).toBeVisible();
    expect(await fetchSubscriptions(context)).toEqual([]);
  });

  await test.step('an approved card starts it, although the balance is empty', async () => {
    await waitForHydration(page);
    await tap(page, page.getByRole('button', { name: 'Subscribe to Studio $12.00 today' }));
    await tap(page, dialog.getByRole('radio', { name: /^Card/ }).locator('xpath=ancestor::label'));
    await tap(page, dialog.getByRole('button', { name: 'Continue to payment $12.24 today' }));
    await payByCard(page, CARDS.approved);
    await expect(page.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible();
    await expectAccessible(page);
    await tap(page, page.getByRole('link', { name: 'Continue' }));
    await expect(page.getByRole('heading', { name: 'You’re subscribed to Studio' })).toBeVisible();
    expect(await fetchWalletBalance(context)).toBe(0);
  });

  await test.step('the processor renews it when its clock reaches the day', async () => {
    await controlSandbox(context, { clock: { advanceDays: 31 } });
    await expect.poll(async () => (await fetchTransactions(context, 'subscription')).length).toBe(2);
    expect(await fetchWalletBalance(context)).toBe(0);
  });

  await test.step('the list names the card, and one press cancels', async () => {
    await tap(page, page.getByRole('link', { name: 'Manage subscription' }));
    await expect(main.getByRole('region', { name: 'Renewing' })).toContainText('Studio · 30 days · Card');
    await expectAccessible(page);
    await tap(page, main.getByRole('button', { name: `Cancel Studio of ${creator.username}` }));
    await expect(main).toContainText('Canceled. Your card won’t be charged again.');
    expect(await fetchSubscriptions(context)).toMatchObject([
      { isRenewing: false, nextCharge: null, paymentSource: 'card' },
    ]);
    await controlSandbox(context, { clock: { advanceDays: 31 } });
    await page.reload();
    await expect(
      main.getByRole('button', { name: `Renew Studio of ${creator.username} from your balance` }),
    ).toBeVisible();
    expect(await fetchTransactions(context, 'subscription')).toHaveLength(2);
  });
});

test('a fan whose card is declined pays from the balance instead', async ({ createApiUser, createUser }) => {
  const creator = await createApiUser('creator');
  const tier = await createTier(creator.context);
  const { page, context } = await createUser('customer', { width: 390 });
  const main = page.getByRole('main');
  const body = { tierId: tier.id, recurrence: 'monthaly', count: 1, expected: 12.24 };
  const { paymentUrl } = await callApi<{ paymentUrl: string }>(context, 'POST', '/customer/subscriptions/card', body);
  await page.goto(paymentUrl);
  await payByCard(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible();
  await controlSandbox(context, { behaviour: { declineRenewals: true }, clock: { advanceDays: 31 } });
  await expect.poll(async () => (await fetchSubscriptions(context))[0]?.state).toBe('pastDue');
  await addFunds(context, 20);
  await page.goto('/fan/subscriptions');
  await waitForHydration(page);
  const answer = main.getByRole('region', { name: 'Action needed' });
  await expect(answer).toContainText('Your card was declined. We’ll try again on ');
  await expectAccessible(page);
  await answer.getByRole('button', { name: 'Use balance $12.00' }).click();
  await expect(main.getByRole('region', { name: 'Renewing' })).toContainText('Studio · Monthly · Balance');
  expect(await fetchWalletBalance(context)).toBe(8);
});

import type { Deposit } from '@stagedoor/contract/commerce/deposits.ts';
import { type ApiClient, callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import {
  CARDS,
  fetchTransactions,
  fetchWalletBalance,
  payByCard,
  releaseWebhooks,
  setSandboxBehaviour,
} from './support/money.ts';

// The sandbox's behaviour applies to the whole server, so it is reset after each test.
test.afterEach(async ({ playwright }) => {
  const request = await playwright.request.newContext();
  await request.post(`${process.env.STAGEDOOR_URL}/sandbox/ccbill/control`, { data: { behaviour: {}, release: true } });
  await request.dispose();
});

async function listDeposits(context: ApiClient): Promise<Deposit[]> {
  return (await callApi<{ data: Deposit[] }>(context, 'GET', '/customer/deposite-history')).data;
}

test('a declined card adds no funds, a double click creates one order, Back restores the amount, and the return page waits for the webhook', async ({
  createUser,
}) => {
  const { page, context } = await createUser('customer', { width: 390 });
  const credits = page.getByRole('dialog', { name: 'How many credits?' });
  const continueButton = credits.getByRole('button', { name: 'Continue to payment' });
  const payment = page.getByRole('dialog', { name: 'Payment information' });
  const payButton = payment.getByRole('button', { name: /^Pay \$/ });
  await test.step('an invalid number of credits is explained', async () => {
    await page.goto('/fan/wallet');
    await waitForHydration(page);
    await page.getByRole('main').getByRole('link', { name: 'Add funds' }).first().click();
    await credits.getByRole('radio', { name: /^Other amount/ }).check();
    await credits.getByLabel('Credits', { exact: true }).fill('9');
    await continueButton.click();
    await expect(credits.getByText('Amount must be between 10 to 90', { exact: true })).toBeVisible();
    expect(await listDeposits(context)).toEqual([]);
  });

  await test.step('a declined card adds no funds and shows an error', async () => {
    await credits.getByRole('radio', { name: /^30 credits/ }).check();
    await continueButton.click();
    await expect(payment).toContainText('30 credits');
    await expect(payment).toContainText('The charge appears on your statement as CCBill.com.');
    await payment.getByRole('button', { name: 'Back' }).click();
    await expect(credits.getByRole('radio', { name: /^30 credits/ })).toBeChecked();
    await continueButton.click();
    await payButton.click();
    await expect(page.getByRole('note')).toHaveText('TEST MODE: no card is charged and no real money moves');
    await payByCard(page, CARDS.declined);
    await expect(page).toHaveURL(/\/fan\/wallet\/return\?/);
    await expect(page.getByRole('heading', { name: 'Payment failed' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(/declined/i);
    await expect(page.getByRole('main')).toContainText('Nothing was added to your balance.');
    expect(await fetchWalletBalance(context)).toBe(0);
    expect(await fetchTransactions(context)).toEqual([]);
    expect((await listDeposits(context)).map(({ status }) => status)).toEqual(['failed']);
  });

  const dollars = page.getByRole('dialog', { name: 'Add funds' });
  const amount = dollars.getByLabel('Amount in dollars');
  const paymentButton = dollars.getByRole('button', { name: 'Continue to payment' });
  await test.step('a double click creates one order, and Back restores the amount', async () => {
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page).toHaveURL(/\/fan\/wallet\?add=credits&credits=30&chosen=1$/);
    await waitForHydration(page);
    await expect(payment).toContainText('30 credits');
    await payment.getByRole('button', { name: 'Back' }).click();
    await expect(credits.getByRole('radio', { name: /^30 credits/ })).toBeChecked();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Custom amount in dollars' }).click();
    await amount.fill('1000');
    await expect(dollars.getByText('Maximum $900.00 per deposit.')).toBeVisible();
    await amount.fill('300');
    await paymentButton.click();
    const orders: string[] = [];
    await page.route('**/api/customer/deposite-fund', async (route) => {
      orders.push(route.request().headers()['idempotency-key'] ?? 'none');
      await route.continue();
    });
    await payment.getByRole('button', { name: 'Pay $306.00' }).dblclick();
    await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
    expect(new Set(orders).size).toBe(1);
    expect(await listDeposits(context)).toHaveLength(2);
    await page.goBack();
    await expect(payment).toContainText('$306.00');
    await waitForHydration(page);
    await payment.getByRole('button', { name: 'Back' }).click();
    await expect(amount).toHaveValue('300');
  });

  await test.step('the return page waits for a delayed webhook and shows only the payment', async () => {
    await setSandboxBehaviour(context, { reorder: true });
    await waitForHydration(page);
    await paymentButton.click();
    await payButton.click();
    await payByCard(page, CARDS.approved);
    await expect(page.getByRole('heading', { name: 'Confirming your payment…' })).toBeVisible();
    // The address contains "approved", which credits nothing.
    expect(page.url()).toContain('result=approved');
    expect(await fetchWalletBalance(context)).toBe(0);
    await page.reload();
    await waitForHydration(page);
    expect(await fetchWalletBalance(context)).toBe(0);
    await releaseWebhooks(context);
    const heading = page.getByRole('heading', { level: 1, name: 'Funds added' });
    await expect(heading).toBeVisible();
    await expect(page.getByText('Visa ending in 1111').first()).toBeVisible();
    expect(await fetchWalletBalance(context)).toBe(300);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      for (const bar of ['.tabbar', '.rail', '.topbar']) await expect(page.locator(bar), bar).toHaveCount(0);
      expect((await heading.boundingBox())?.x).toBeGreaterThanOrEqual(16);
      await expect(page.getByRole('link', { name: 'Stagedoor, home' })).toBeVisible();
    }
    await page.getByRole('link', { name: 'View wallet' }).click();
    await expect(page).toHaveURL(/\/fan\/wallet$/);
    await expect(page.locator('.rail')).toBeVisible();
  });
});

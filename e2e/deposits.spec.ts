import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { Deposit } from '@stagedoor/contract/payments.ts';
import { callApi, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, balanceOf, CARDS, payByCard, releaseSandbox, sandbox, transactionsOf } from './support/money.ts';

// The sandbox's behaviour applies to the whole server, so it is reset after each test.
test.afterEach(async ({ playwright }) => {
  const request = await playwright.request.newContext();
  await request.post(`${process.env.STAGEDOOR_URL}/sandbox/ccbill/control`, { data: { behaviour: {}, release: true } });
  await request.dispose();
});

async function depositsOf(context: BrowserContext): Promise<Deposit[]> {
  return (await callApi<{ data: Deposit[] }>(context, 'GET', '/customer/deposite-history')).data;
}

async function openCredits(page: Page): Promise<Locator> {
  await page.goto('/fan/wallet');
  await hydrated(page);
  await page.getByRole('main').getByRole('link', { name: 'Add funds' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'How many credits?' });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function toPaymentPage(page: Page, credits = 30): Promise<void> {
  const dialog = await openCredits(page);
  await dialog.getByRole('radio', { name: new RegExp(`^${credits} credits`) }).check();
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  const payment = page.getByRole('dialog', { name: 'Payment information' });
  await expect(payment).toContainText('your card’s statement will say CCBill.com');
  await payment.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
  await expect(page.getByRole('note')).toHaveText('TEST MODE: no card is charged and no real money moves');
}

test('a declined card adds no funds, says so, and lets the fan try another card', async ({ person }) => {
  const { page, context } = await person('customer');
  await toPaymentPage(page);
  await payByCard(page, CARDS.declined);
  await expect(page).toHaveURL(/\/fan\/wallet\/return\?/);
  await expect(page.getByRole('heading', { name: 'The payment did not go through' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/declined/i);
  await expect(page.getByRole('main')).toContainText('Nothing was added to your balance.');
  expect(await balanceOf(context)).toBe(0);
  expect(await transactionsOf(context)).toEqual([]);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: 'How many credits?' })).toBeVisible();
  await page.goto('/fan/wallet?tab=deposits');
  await expect(page.getByRole('list', { name: 'Deposits' }).getByRole('listitem')).toContainText('Failed');
});

test('a custom number of credits is validated, and a package above the processor’s limit explains why it is not sold', async ({
  person,
}) => {
  const { page, context } = await person('customer');
  await page.route('**/api/customer/deposit-options', (route) =>
    route.fulfill({ json: { ceiling: 700, minimum: 2.95, isTestMode: true, creditValue: 10 } }),
  );
  // The browser requests the options only on a page that leads to the wallet.
  await page.goto('/fan/feed');
  await hydrated(page);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Wallet', exact: true })
    .first()
    .click();
  await page.getByRole('main').getByRole('link', { name: 'Add funds' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'How many credits?' });
  await expect(dialog.getByRole('radio', { name: /^90 credits/ })).toBeDisabled();
  await expect(dialog).toContainText('Our card processor takes at most $700.00 in one payment');
  await dialog.getByRole('radio', { name: /^60 credits/ }).check();
  const total = dialog.getByRole('term').filter({ hasText: 'You pay' });
  await expect(total.locator('xpath=following-sibling::dd')).toHaveText('$612.00');
  await dialog.getByRole('radio', { name: /^Another number/ }).check();
  const field = dialog.getByLabel('Credits', { exact: true });
  const forward = dialog.getByRole('button', { name: 'Continue to payment' });
  await forward.click();
  await expect(dialog.getByText('Please enter amount')).toBeVisible();
  await field.fill('9');
  await expect(dialog.getByText('Amount must be between 10 to 90', { exact: true })).toBeVisible();
  await forward.click();
  await expect(dialog).toBeVisible();
  await field.fill('-12');
  await expect(dialog).toContainText('$122.40');
  await forward.click();
  const payment = page.getByRole('dialog', { name: 'Payment information' });
  await expect(payment).toContainText('12 credits');
  await payment.getByRole('button', { name: 'Back' }).click();
  await expect(field).toHaveValue('-12');
  expect(await depositsOf(context)).toEqual([]);
});

test('an amount in dollars is cleaned, clamped and grossed up', async ({ person }) => {
  const { page } = await person('customer', { width: 390 });
  await page.goto('/fan/wallet');
  await hydrated(page);
  await page.getByRole('link', { name: 'Another amount in dollars' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add funds' });
  const field = dialog.getByLabel('Amount of balance, in dollars');
  await expect(dialog.getByText('Amount must be minimum 10 and maximum 900.')).toBeVisible();
  for (const [typed, kept] of [
    ['abc', '0'],
    ['12.345', '12.35'],
  ] as const) {
    await field.fill(typed);
    await expect(field).toHaveValue(kept);
  }
  await field.fill('1000');
  await expect(dialog.getByText('$900.00 is the most at once.')).toBeVisible();
  await expect(dialog).toContainText('$918.00');
  await field.fill('5');
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Amount must be minimum 10 and maximum 900.');
  await field.fill('100');
  // 100 dollars are ten credits and cost the same.
  await expect(dialog).toContainText('$102.00');
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('dialog', { name: 'Payment information' })).toContainText('$102.00');
  await page.getByRole('button', { name: 'Pay $102.00' }).click();
  await expect(page).not.toHaveURL(/\/fan\/wallet/);
  await page.goBack();
  await expect(field).toHaveValue('100');
});

test('Back from the payment page leaves the wallet usable, and a double click creates one order', async ({
  person,
}) => {
  const { page, context } = await person('customer');
  await toPaymentPage(page);
  await page.goBack();
  const dialog = page.getByRole('dialog', { name: 'How many credits?' });
  await expect(dialog).toBeVisible();
  expect(await depositsOf(context)).toHaveLength(1);

  await dialog.getByRole('radio', { name: /^60 credits/ }).check();
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  const orders: string[] = [];
  await page.route('**/api/customer/deposite-fund', async (route) => {
    orders.push(route.request().headers()['idempotency-key'] ?? 'none');
    await route.continue();
  });
  const pay = page.getByRole('dialog', { name: 'Payment information' }).getByRole('button', { name: /^Pay \$/ });
  await pay.dblclick();
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
  await expect(page.getByRole('note')).toHaveText('TEST MODE: no card is charged and no real money moves');
  expect(new Set(orders).size).toBe(1);
  expect(await depositsOf(context)).toHaveLength(2);
  await payByCard(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: 'The money is in your wallet' })).toBeVisible();
  expect(await balanceOf(context)).toBe(600);
});

test('the return page waits for a delayed webhook', async ({ person }) => {
  const { page, context } = await person('customer');
  await sandbox(context, { reorder: true });
  await toPaymentPage(page);
  await payByCard(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: 'Waiting for the card processor’s word…' })).toBeVisible();
  // The address contains "approved", which credits nothing.
  expect(page.url()).toContain('result=approved');
  expect(await balanceOf(context)).toBe(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Waiting for the card processor’s word…' })).toBeVisible();
  await releaseSandbox(context);
  await expect(page.getByRole('heading', { name: 'The money is in your wallet' })).toBeVisible();
  await expect(page.getByText('Visa ending in 1111').first()).toBeVisible();
  expect(await balanceOf(context)).toBe(300);
});

test('the return page of a payment has no bars, keeps its margin, and links to the wallet', async ({ person }) => {
  const { page, context } = await person('customer', { width: 390 });
  const deposit = await addFunds(context, 20);
  for (const [orderId, title] of [
    [deposit, 'The money is in your wallet'],
    ['unknown', 'We know no such payment'],
  ] as const) {
    await page.goto(`/fan/wallet/return?orderId=${orderId}`);
    const heading = page.getByRole('heading', { level: 1, name: title });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(heading).toBeVisible();
      for (const bar of ['.tabbar', '.rail', '.topbar']) await expect(page.locator(bar), bar).toHaveCount(0);
      expect((await heading.boundingBox())?.x).toBeGreaterThanOrEqual(16);
      await expect(page.getByRole('link', { name: 'Stagedoor, home' })).toBeVisible();
    }
  }
  await page.getByRole('link', { name: 'Go to the wallet' }).click();
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await expect(page.locator('.rail')).toBeVisible();
});

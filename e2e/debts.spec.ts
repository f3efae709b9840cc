import {
  type ApiClient,
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  getBaseUrl,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import {
  addFunds,
  CARDS,
  fetchDeposit,
  fetchTransactions,
  fetchWalletBalance,
  openTip,
  orderDeposit,
  payByCard,
} from './support/money.ts';

async function createChargeback(context: ApiClient, creatorId: string, remainingUsd = 5): Promise<void> {
  const { depositId, paymentUrl } = await orderDeposit(context, 50);
  await context.request.post(paymentUrl, {
    form: { cardNumber: CARDS.approved, expDate: '12/31', cvv: '123' },
    maxRedirects: 0,
  });
  await expect.poll(async () => (await fetchDeposit(context, depositId)).status).toBe('success');
  await tip(context, creatorId, 50 - remainingUsd);
  const orderId = new URL(paymentUrl).searchParams.get('orderId');
  const response = await context.request.post(`${getBaseUrl()}/sandbox/ccbill/control`, {
    data: { trigger: { event: 'Chargeback', orderId } },
  });
  expect(response.status(), await response.text()).toBe(200);
  await expect.poll(async () => (await fetchDeposit(context, depositId)).reversed).toBe(50);
}

async function tip(context: ApiClient, creatorId: string, amount: number): Promise<void> {
  await callApi(context, 'POST', `/tip/customer-send/${creatorId}`, { amount, type: 'profile' });
}

test('a fan who was blocked by an operator sees whom to contact and can spend after the unblock, and adding funds settles a chargeback', async ({
  createApiUser,
  createUser,
}) => {
  const timeZone = 'Asia/Kolkata';
  const creator = await createConfirmedAccount('creator');
  const fan = await createUser('customer', { width: 390, timeZone });
  const { page, context } = fan;
  const operator = await createApiUser('customer', { roles: ['finance'] });
  const decide = async (decision: string) =>
    callApi(operator.context, 'POST', `/admin/debtors/${fan.id}/decision`, {
      decision,
      reason: 'the journey asks for it',
    });
  await addFunds(context, 10);
  await decide('block');

  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  await (await openTip(page, creator.username)).getByRole('button', { name: 'Tip $10.00' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Spending is paused on this account.' });
  await expect(refusal).toBeVisible();
  await refusal.getByRole('link', { name: 'Learn more' }).focus();
  await page.keyboard.press('Enter');
  const blocked = page.getByRole('region', { name: 'Spending is paused', exact: true });
  await expect(blocked.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', /^mailto:.+@/);
  await expect(blocked.getByRole('link', { name: 'Pay outstanding balance' })).toHaveCount(0);
  await decide('unblock');
  await expect(blocked).toBeHidden();
  await expect(page.getByText('You can spend again.')).toBeVisible();
  await waitForMail(fan.email, /You can spend again/);
  await tip(context, creator.id, 10);

  await createChargeback(context, creator.id);
  const notice = page.getByRole('region', { name: 'Outstanding balance: $45.00. Spending is paused' });
  await expect(notice).toBeVisible();
  await expect(notice).toContainText('A payment was reversed after you spent it.');
  await expect(notice).toContainText(/Chargeback, .*\$45\.00/);
  await expectAccessible(page);

  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  const tipDialog = await openTip(page, creator.username);
  await tipDialog.getByLabel('Custom amount').fill('12');
  await tipDialog.getByLabel('Add a message').fill('For the encore');
  await tipDialog.getByRole('link', { name: 'Add funds to tip' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add funds' });
  await expect(dialog.getByLabel('Amount in dollars')).toHaveValue('57');
  await expect(dialog).toContainText('$45.00 pays off what you owe; $12.00 is added to your balance.');
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await payByCard(page, CARDS.approved);

  await expect(page.getByText('$45.00 was used to pay your outstanding balance.')).toBeVisible();
  await page.getByRole('link', { name: 'View wallet' }).click();
  await expect(page.getByText('Debt repayment')).toBeVisible();
  const [newest] = await fetchTransactions(context);
  const localTime = new Date(newest?.createdAt ?? '').toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
  await expect(page.getByRole('list', { name: 'Transactions' })).toContainText(`Today, ${localTime} ·`);
  // The server knows the time zone from now on, so that times do not change when a page hydrates.
  expect(await (await context.request.get('/fan/wallet')).text()).toContain(`Today, ${localTime} ·`);
  await expect(page.getByRole('heading', { name: /Outstanding balance/ })).toHaveCount(0);
  expect(await fetchWalletBalance(context)).toBe(12);
  await page.goBack();
  await page.getByRole('link', { name: 'Continue', exact: true }).click();
  await expect(tipDialog.getByLabel('Custom amount')).toHaveValue('12');
  await expect(tipDialog.getByLabel('Add a message')).toHaveValue('For the encore');
  await tipDialog.getByRole('button', { name: 'Tip $12.00' }).click();
  await expect.poll(() => fetchWalletBalance(context)).toBe(0);
  await waitForMail(fan.email, /paid your outstanding balance/);
});

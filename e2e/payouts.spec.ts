import { readFile } from 'node:fs/promises';
import { logInAsOperator } from './support/admin.ts';
import { callApi, expect, expectAccessible, logIn, test, waitForHydration } from './support/fixtures.ts';

const CREATOR = 'demo.creator';
type Settings = Record<string, number>;
type PayoutList = { data: { id: string; amount: number }[] };
type ClaimedTotal = { totalClaimed: number };

test('earnings and commission are requested manually, approved by two operators, sent in an ACH file, and shown as paid', async ({
  open,
  createUser,
}) => {
  const creator = await open({ width: 390, isPhone: true });
  await logIn(creator.context, CREATOR);
  const { page } = creator;
  const [adminPage, second] = [
    await logInAsOperator(await createUser('customer'), 'owner'),
    await logInAsOperator(await createUser('customer', { isPhone: true }), 'finance'),
  ];
  const updateSettings = async (to: Settings) => {
    const from = await callApi<Settings>(adminPage.context(), 'GET', '/admin/payout-settings');
    const body = { from, to: { ...from, ...to }, reason: 'For small sums' };
    await callApi(adminPage.context(), 'PUT', '/admin/payout-settings', body);
    return from;
  };
  const getTotals = async () => {
    const balance = await callApi<Record<string, number>>(creator.context, 'GET', '/creator/balance');
    const totals = await callApi<{ creator: ClaimedTotal; customer: ClaimedTotal }>(
      creator.context,
      'GET',
      '/affiliate/total-earning',
    );
    return {
      paid: Math.round((balance.paid ?? 0) * 100),
      claimed: Math.round((totals.creator.totalClaimed + totals.customer.totalClaimed) * 100),
    };
  };
  const listPayouts = async () => (await callApi<PayoutList>(creator.context, 'GET', '/creator/payouts?limit=50')).data;
  const before = { ...(await getTotals()), payouts: (await listPayouts()).length };

  await page.goto('/creator/earning');
  await waitForHydration(page);
  const amount = page.getByLabel('Amount');
  const requestButton = page.getByRole('button', { name: /^Request payout/ });
  await amount.fill('19.99');
  await expect(page.getByText('At least $20.00')).toBeVisible();
  await expect(requestButton).toBeDisabled();
  await amount.fill('20.00');
  await expect(requestButton).toHaveAccessibleName('Request payout · $20.00');
  await requestButton.dblclick();
  await expect(page.getByText('Payout of $20.00 requested.')).toBeVisible();
  expect(await listPayouts()).toHaveLength(before.payouts + 1);
  await page.getByRole('group', { name: 'When requested' }).getByRole('link', { name: 'Today' }).tap();
  await expect(page).toHaveURL(/payoutsFrom=\d{4}-\d\d-\d\d/);
  const payoutItems = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem');
  const canceledPayout = payoutItems.filter({ hasText: '$20.00' }).first();
  await expect(canceledPayout).toContainText('Requested');
  await canceledPayout.getByText('$20.00').first().tap();
  await canceledPayout.getByRole('button', { name: 'Cancel request' }).tap();
  await expect(page.getByText('$20.00 is available again.')).toBeVisible();
  await expect(canceledPayout).toContainText('Canceled');
  await amount.fill('21.37');
  await page.getByRole('button', { name: 'Request payout · $21.37' }).tap();
  await expect(page.getByText('Payout of $21.37 requested.')).toBeVisible();

  // The commission of so few sales is below the usual minimum.
  const { referralsMinimum = 0 } = await updateSettings({ referralsMinimum: 20 });
  await page.goto('/creator/referral');
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Withdraw', exact: true }).tap();
  const dialog = page.getByRole('dialog', { name: 'Withdraw' });
  await dialog.getByLabel('Amount').fill('19.99');
  await expect(dialog.getByText('Minimum $20.00', { exact: true })).toBeVisible();
  await dialog.getByLabel('Amount').fill('20.53');
  await expect(dialog.getByText('$20.12')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Withdraw/ }).tap();
  await expect(page.getByText('Requested. We’ll pay out $20.12 once it’s approved.')).toBeVisible();
  await page.getByRole('link', { name: 'Withdrawals' }).tap();
  const withdrawn = page.getByRole('list', { name: 'Withdrawals' }).getByRole('listitem').first();
  await expect(withdrawn).toContainText('Requested');
  const withdrawals = await callApi<PayoutList>(creator.context, 'GET', '/affiliate/withdrawal-list?limit=10');
  const commission = withdrawals.data.find((one) => one.amount === 20.53)?.id ?? '';
  const id = (await listPayouts()).find((one) => one.amount === 21.37)?.id ?? '';
  await updateSettings({ referralsMinimum });

  const { secondApprover = 0 } = await updateSettings({ secondApprover: 5 });
  await adminPage.goto('/admin/payouts?search=demo.creator');
  await waitForHydration(adminPage);
  await adminPage.locator(`a[href="/admin/payouts/${id}"]`).first().press('Enter');
  await expect(adminPage).toHaveURL(`/admin/payouts/${id}`);
  await expect(adminPage.getByText(/^Checking Account ending in/)).toBeVisible();
  await adminPage.getByRole('heading', { level: 1 }).press('a');
  await expect(adminPage.getByText('This amount needs a second approval.')).toBeVisible();
  await adminPage.getByLabel('Reason').fill('As every month');
  await expectAccessible(adminPage);
  await adminPage.getByRole('button', { name: /^Approve / }).dblclick();
  await expect(adminPage.getByText('You approved this. This amount needs a second approval.')).toBeVisible();
  await expect(adminPage.getByRole('radio', { name: 'Approve' })).toHaveCount(0);
  await second.goto(`/admin/payouts/${id}`);
  await waitForHydration(second);
  await second.getByRole('radio', { name: 'Approve' }).check();
  await second.getByLabel('Reason').fill('Papers are in order');
  await second.getByRole('button', { name: /^Approve / }).click();
  await expect(second.getByRole('button', { name: /^Reject/ })).toBeVisible();
  await updateSettings({ secondApprover });
  const confirmation = { decision: 'confirm', to: secondApprover, reason: 'As it was before' };
  await callApi(second.context(), 'POST', '/admin/setting-approvals/secondApprover/decision', confirmation);
  const decision = { decision: 'approve', reason: 'As every month' };
  const { status } = await callApi<{ status: string }>(
    adminPage.context(),
    'POST',
    `/admin/payouts/${commission}/decision`,
    decision,
  );
  // The daily total may require a second approval.
  if (status !== 'approved') await callApi(second.context(), 'POST', `/admin/payouts/${commission}/decision`, decision);

  await adminPage.goto('/admin/payouts?queue=toSend');
  await waitForHydration(adminPage);
  await adminPage.getByRole('button', { name: 'Create ACH file' }).click();
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Create ACH file' }).click();
  await expect(adminPage).toHaveURL('/admin/payouts/batches');
  const downloading = adminPage.waitForEvent('download');
  await adminPage
    .getByRole('button', { name: /^Download / })
    .first()
    .click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.ach$/);
  const records = (await readFile(await download.path(), 'utf8')).split(/\r?\n/);
  const cents = records.filter((one) => one.startsWith('6')).map((one) => Number(one.slice(29, 39)));
  expect(cents).toEqual(expect.arrayContaining([2_137, 2_012]));
  const control = records.find((one) => one.startsWith('9')) ?? '';
  expect(Number(control.slice(43, 55))).toBe(cents.reduce((sum, one) => sum + one, 0));
  await second.getByLabel('Reason').fill('The name is another');
  await second.getByRole('button', { name: /^Reject/ }).click();
  await expect(second.getByText('This was decided already.').first()).toBeVisible();
  await expect(second.getByText('In transit', { exact: true }).first()).toBeVisible();

  await adminPage.goto(`/admin/payouts/${id}`);
  await waitForHydration(adminPage);
  await adminPage.getByRole('heading', { level: 1 }).press('p');
  await adminPage.getByLabel('Evidence').fill('On the statement of the bank');
  await adminPage.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(adminPage.getByText('Payout paid')).toBeVisible();
  const arrival = { step: 'paid', reason: 'On the statement of the bank' };
  await callApi(adminPage.context(), 'POST', `/admin/payouts/${commission}/transfer`, arrival);
  expect(await getTotals()).toEqual({ paid: before.paid + 2_137, claimed: before.claimed + 2_053 });
  await page.goto('/creator/earning');
  await expect(payoutItems.filter({ hasText: '$21.37' }).first()).toContainText('Transferred');
});

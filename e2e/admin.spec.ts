import { readFile } from 'node:fs/promises';
import { sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, test } from './support/fixtures.ts';

const MAKER = 'demo.creator';
type Settings = Record<string, number>;
type Listed = { data: { id: string; amount: number }[] };
type Claimed = { totalClaimed: number };

test('earnings and commission are requested manually, approved by two operators, sent in an ACH file, and shown as paid', async ({
  open,
  person,
}) => {
  const maker = await open({ width: 390, isPhone: true });
  await logIn(maker.context, MAKER);
  const { page } = maker;
  const [desk, second] = [
    await sitDown(await person('customer'), 'owner'),
    await sitDown(await person('customer', { isPhone: true }), 'finance'),
  ];
  const change = async (to: Settings) => {
    const from = await callApi<Settings>(desk.context(), 'GET', '/admin/payout-settings');
    const body = { from, to: { ...from, ...to }, ground: 'For small sums' };
    await callApi(desk.context(), 'PUT', '/admin/payout-settings', body);
    return from;
  };
  const earned = async () => {
    const balance = await callApi<Record<string, number>>(maker.context, 'GET', '/creator/balance');
    const totals = await callApi<{ creator: Claimed; customer: Claimed }>(
      maker.context,
      'GET',
      '/affiliate/total-earning',
    );
    return {
      paid: Math.round((balance.paid ?? 0) * 100),
      claimed: Math.round((totals.creator.totalClaimed + totals.customer.totalClaimed) * 100),
    };
  };
  const payouts = async () => (await callApi<Listed>(maker.context, 'GET', '/creator/payouts?limit=50')).data;
  const had = { ...(await earned()), payouts: (await payouts()).length };

  await page.goto('/creator/earning');
  await hydrated(page);
  const amount = page.getByLabel('Amount');
  const ask = page.getByRole('button', { name: /^Request payout/ });
  await amount.fill('19.99');
  await expect(page.getByText('At least $20.00')).toBeVisible();
  await expect(ask).toBeDisabled();
  await amount.fill('20.00');
  await expect(ask).toHaveAccessibleName('Request payout · $20.00');
  await ask.dblclick();
  await expect(page.getByText('Payout of $20.00 requested.')).toBeVisible();
  expect(await payouts()).toHaveLength(had.payouts + 1);
  await page.getByRole('group', { name: 'When requested' }).getByRole('link', { name: 'Today' }).tap();
  await expect(page).toHaveURL(/payoutsFrom=\d{4}-\d\d-\d\d/);
  const lines = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem');
  const taken = lines.filter({ hasText: '$20.00' }).first();
  await expect(taken).toContainText('Requested');
  await taken.getByText('$20.00').first().tap();
  await taken.getByRole('button', { name: 'Cancel request' }).tap();
  await expect(page.getByText('$20.00 is available again.')).toBeVisible();
  await expect(taken).toContainText('Canceled');
  await amount.fill('21.37');
  await page.getByRole('button', { name: 'Request payout · $21.37' }).tap();
  await expect(page.getByText('Payout of $21.37 requested.')).toBeVisible();

  // The commission of so few sales is below the usual minimum.
  const { referralsMinimum = 0 } = await change({ referralsMinimum: 20 });
  await page.goto('/creator/referral');
  await hydrated(page);
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
  const brought = await callApi<Listed>(maker.context, 'GET', '/affiliate/withdrawal-list?limit=10');
  const commission = brought.data.find((one) => one.amount === 20.53)?.id ?? '';
  const id = (await payouts()).find((one) => one.amount === 21.37)?.id ?? '';
  await change({ referralsMinimum });

  const { secondApprover = 0 } = await change({ secondApprover: 5 });
  await desk.goto('/admin/payouts?search=demo.creator');
  await hydrated(desk);
  await desk.locator(`a[href="/admin/payouts/${id}"]`).first().press('Enter');
  await expect(desk).toHaveURL(`/admin/payouts/${id}`);
  await expect(desk.getByText(/^Checking Account ending in/)).toBeVisible();
  await desk.getByRole('heading', { level: 1 }).press('a');
  await expect(desk.getByText('This amount needs a second approval.')).toBeVisible();
  await desk.getByLabel('Reason').fill('As every month');
  await expectAccessible(desk);
  await desk.getByRole('button', { name: /^Approve / }).dblclick();
  await expect(desk.getByText('You approved this. This amount needs a second approval.')).toBeVisible();
  await expect(desk.getByRole('radio', { name: 'Approve' })).toHaveCount(0);
  await second.goto(`/admin/payouts/${id}`);
  await hydrated(second);
  await second.getByRole('radio', { name: 'Approve' }).check();
  await second.getByLabel('Reason').fill('Papers are in order');
  await second.getByRole('button', { name: /^Approve / }).click();
  await expect(second.getByRole('button', { name: /^Reject/ })).toBeVisible();
  await change({ secondApprover });
  const confirmation = { decision: 'confirm', to: secondApprover, ground: 'As it was before' };
  await callApi(second.context(), 'POST', '/admin/wanted-settings/secondApprover/decision', confirmation);
  const decision = { decision: 'approve', ground: 'As every month' };
  const { status } = await callApi<{ status: string }>(
    desk.context(),
    'POST',
    `/admin/payouts/${commission}/decision`,
    decision,
  );
  // The daily total may require a second approval.
  if (status !== 'approved') await callApi(second.context(), 'POST', `/admin/payouts/${commission}/decision`, decision);

  await desk.goto('/admin/payouts?queue=toSend');
  await hydrated(desk);
  await desk.getByRole('button', { name: 'Create ACH file' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Create ACH file' }).click();
  await expect(desk).toHaveURL('/admin/payouts/batches');
  const saving = desk.waitForEvent('download');
  await desk
    .getByRole('button', { name: /^Download / })
    .first()
    .click();
  const download = await saving;
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

  await desk.goto(`/admin/payouts/${id}`);
  await hydrated(desk);
  await desk.getByRole('heading', { level: 1 }).press('p');
  await desk.getByLabel('Evidence').fill('On the statement of the bank');
  await desk.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(desk.getByText('Payout paid')).toBeVisible();
  const arrival = { step: 'paid', ground: 'On the statement of the bank' };
  await callApi(desk.context(), 'POST', `/admin/payouts/${commission}/transfer`, arrival);
  expect(await earned()).toEqual({ paid: had.paid + 2_137, claimed: had.claimed + 2_053 });
  await page.goto('/creator/earning');
  await expect(lines.filter({ hasText: '$21.37' }).first()).toContainText('Transferred');
});

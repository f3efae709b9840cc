import { readFile } from 'node:fs/promises';
import type { BrowserContext } from '@playwright/test';
import { sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, test } from './support/fixtures.ts';

const MAKER = 'demo.creator';
type Settings = Record<string, number>;
type Listed = { data: { id: string; status: string; transfer: string | null }[] };

async function requested(context: BrowserContext): Promise<string> {
  const { data } = await callApi<Listed>(context, 'GET', '/creator/payouts?status=requested');
  if (data[0]) return data[0].id;
  const methods = await callApi<Listed>(context, 'GET', '/payout-methods');
  const body = { amount: 20, methodId: methods.data[0]?.id };
  return (await callApi<{ id: string }>(context, 'POST', '/creator/payouts', body)).id;
}

test('a creator requests a payout manually, once despite repeated presses, and cancels it', async ({ open }) => {
  const maker = await open({ width: 390, isPhone: true });
  await logIn(maker.context, MAKER);
  const { page } = maker;
  const ofCreator = async () => (await callApi<Listed>(maker.context, 'GET', '/creator/payouts?limit=50')).data;
  const before = (await ofCreator()).length;
  await page.goto('/creator/earning');
  await hydrated(page);
  const amount = page.getByLabel('Amount');
  await amount.fill('19.99');
  await expect(page.getByText('At least $20.00')).toBeVisible();
  const ask = page.getByRole('button', { name: /^Request payout/ });
  await expect(ask).toBeDisabled();
  await amount.fill('20.00');
  await expect(ask).toHaveAccessibleName('Request payout · $20.00');
  await ask.dblclick();
  await expect(page.getByText('$20.00 is requested.')).toBeVisible();
  expect(await ofCreator()).toHaveLength(before + 1);

  await page.getByRole('group', { name: 'When requested' }).getByRole('link', { name: 'Today' }).tap();
  await expect(page).toHaveURL(/payoutsFrom=\d{4}-\d\d-\d\d/);
  const line = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').filter({ hasText: '$20.00' }).first();
  await expect(line).toContainText('Requested');
  await line.getByText('$20.00').first().tap();
  await line.getByRole('button', { name: 'Take the request back' }).tap();
  await expect(page.getByText('$20.00 is available again.')).toBeVisible();
  await expect(line).toContainText('Taken back');
});

test('a payout is requested, approved by two operators, sent, and shown as paid', async ({ open, person }) => {
  const maker = await open({ width: 390 });
  await logIn(maker.context, MAKER);
  const id = await requested(maker.context);
  const [desk, second] = [
    await sitDown(await person('customer'), 'owner', '/admin'),
    await sitDown(await person('customer', { isPhone: true }), 'finance', '/admin'),
  ];

  await desk.getByRole('list', { name: 'What waits' }).getByRole('link', { name: 'Payouts to approve' }).click();
  await expect(desk).toHaveURL('/admin/payouts');
  await desk.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Settings' }).click();
  const limit = desk.getByLabel('Second approver above');
  const before = await limit.inputValue();
  await limit.fill('5');
  await desk.locator('form').filter({ has: limit }).getByLabel('Why').fill('A second look at small sums');
  await desk.locator('form').filter({ has: limit }).getByRole('button', { name: 'Save' }).click();
  const change = desk.getByRole('list', { name: 'Changes' }).getByRole('listitem').first();
  await expect(change).toContainText('Second approver above: $150.00 to $5.00');

  await desk.goto('/admin/payouts?search=demo.creator');
  await hydrated(desk);
  await desk.locator(`a[href="/admin/payouts/${id}"]`).first().press('Enter');
  await expect(desk).toHaveURL(`/admin/payouts/${id}`);
  await expect(desk.getByText(/^Checking Account ending in/)).toBeVisible();
  await desk.getByRole('heading', { level: 1 }).press('a');
  await expect(desk.getByText('Your approval alone is not enough')).toBeVisible();
  await desk.getByLabel('Why').fill('As every month');
  await expectAccessible(desk);
  await desk.getByRole('button', { name: /^Approve / }).dblclick();
  await expect(desk.getByText('For a sum like this another operator has to as well.')).toBeVisible();
  await expect(desk.getByRole('radio', { name: 'Approve' })).toHaveCount(0);

  await second.goto(`/admin/payouts/${id}`);
  await hydrated(second);
  await second.getByRole('radio', { name: 'Approve' }).check();
  await second.getByLabel('Why').fill('Papers are in order');
  await second.getByRole('button', { name: /^Approve / }).click();
  await expect(second.getByRole('button', { name: /^Refuse/ })).toBeVisible();
  await expectAccessible(second);

  const makerId = (await callApi<{ id: string }>(maker.context, 'GET', '/auth/user')).id;
  const told = { reportUserId: makerId, type: 'profile', typeId: makerId, message: 'Are these their papers?' };
  const { context: fan } = await person('customer');
  const { reference } = await callApi<{ reference: string }>(fan, 'POST', '/report/submit-report', told);
  const { data } = await callApi<Listed>(desk.context(), 'GET', `/admin/cases?q=${reference}`);
  const hold = { act: 'limitPayouts', days: 1, ground: 'Until we looked at the papers' };
  const { decisions } = await callApi<{ decisions: { id: string }[] }>(
    desk.context(),
    'POST',
    `/admin/cases/${data[0]?.id}/decision`,
    hold,
  );
  const phone = await second.context().newPage();
  await phone.goto('/admin/payouts?queue=toSend');
  await hydrated(phone);
  await expectAccessible(phone);
  await phone
    .getByRole('region', { name: 'Send' })
    .getByRole('link', { name: /held back: (it|they) may not be paid now$/ })
    .first()
    .click();
  await expect(phone).toHaveURL('/admin/payouts?queue=heldBack&rail=ach');
  await expect(phone.getByRole('group', { name: 'Which' }).locator('[aria-current]')).toContainText('Held back');
  const line = phone
    .getByRole('list', { name: 'Payouts' })
    .getByRole('listitem')
    .filter({ has: phone.locator(`a[href="/admin/payouts/${id}"]`) });
  await expect(line).toContainText('Held back');
  await expect(line).toContainText('Its person reads: You are not paid out until');
  await expectAccessible(phone);
  await phone.close();
  const back = { ground: 'They are theirs' };
  await callApi(desk.context(), 'POST', `/admin/case-decisions/${decisions[0]?.id}/undo`, back);

  await desk.goto('/admin/payouts?queue=toSend');
  await hydrated(desk);
  await desk.getByRole('button', { name: 'Make the ACH file' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Make the ACH file' }).click();
  await expect(desk).toHaveURL('/admin/payouts/batches');
  const saving = desk.waitForEvent('download');
  await desk
    .getByRole('button', { name: /^Download / })
    .first()
    .click();
  expect((await saving).suggestedFilename()).toMatch(/\.ach$/);
  await second.getByLabel('Why').fill('The name is another');
  await second.getByRole('button', { name: /^Refuse/ }).click();
  await expect(second.getByText('This was decided already.').first()).toBeVisible();
  await expect(second.getByText('On its way', { exact: true }).first()).toBeVisible();

  await desk.goto(`/admin/payouts/${id}`);
  await hydrated(desk);
  await desk.getByRole('heading', { level: 1 }).press('p');
  await desk.getByLabel('How you know').fill('On the statement of the bank');
  await desk.getByRole('button', { name: 'Note that it arrived' }).click();
  await expect(desk.getByText('Payout arrived')).toBeVisible();

  await maker.page.goto('/creator/earning');
  await hydrated(maker.page);
  await expect(maker.page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').first()).toContainText(
    'Transferred',
  );

  const settings = await callApi<Settings>(desk.context(), 'GET', '/admin/payout-settings');
  await callApi(desk.context(), 'PUT', '/admin/payout-settings', {
    from: settings,
    to: { ...settings, secondApprover: Number(before) },
    ground: 'As it was before',
  });
  await callApi(second.context(), 'POST', '/admin/wanted-settings/secondApprover/decision', {
    decision: 'confirm',
    to: Number(before),
    ground: 'As it was before',
  });
});

test('earnings and referral commission are withdrawn manually, and the ACH file matches the figures', async ({
  open,
  person,
}) => {
  const maker = await open({ width: 390, isPhone: true });
  await logIn(maker.context, MAKER);
  const [desk, second] = [
    await sitDown(await person('customer'), 'owner', '/admin'),
    await sitDown(await person('customer'), 'finance'),
  ];
  // The commission of so few sales is below the usual minimum.
  const set = async (referralsMinimum: number) => {
    const from = await callApi<Settings>(desk.context(), 'GET', '/admin/payout-settings');
    const to = { ...from, referralsMinimum };
    await callApi(desk.context(), 'PUT', '/admin/payout-settings', { from, to, ground: 'For small sums' });
    return from.referralsMinimum ?? 0;
  };
  const before = await set(20);
  const { page } = maker;
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
  type Claimed = { totalClaimed: number };
  const had = await earned();

  await page.goto('/creator/earning');
  await hydrated(page);
  await page.getByLabel('Amount').fill('21.37');
  await page.getByRole('button', { name: 'Request payout · $21.37' }).tap();
  await expect(page.getByText('$21.37 is requested.')).toBeVisible();

  await page.goto('/creator/referral');
  await hydrated(page);
  await page.getByRole('link', { name: 'Withdraw', exact: true }).tap();
  const dialog = page.getByRole('dialog', { name: 'Withdraw' });
  await dialog.getByLabel('Amount').fill('19.99');
  await expect(dialog.getByText('From $20.00', { exact: true })).toBeVisible();
  await dialog.getByLabel('Amount').fill('20.53');
  await expect(dialog.getByText('$20.12')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Withdraw/ }).tap();
  await expect(page.getByText('Requested. $20.12 is paid out once it is approved.')).toBeVisible();
  await page.getByRole('link', { name: 'Withdrawals' }).tap();
  const line = page.getByRole('list', { name: 'Withdrawals' }).getByRole('listitem').first();
  await expect(line).toContainText('Requested');

  type Ids = { data: { id: string; amount: number }[] };
  const own = await callApi<Ids>(maker.context, 'GET', '/creator/payouts?limit=10');
  const brought = await callApi<Ids>(maker.context, 'GET', '/affiliate/withdrawal-list?limit=10');
  const ids = [
    own.data.find(({ amount }) => amount === 21.37)?.id ?? '',
    brought.data.find(({ amount }) => amount === 20.53)?.id ?? '',
  ];
  for (const id of ids) {
    const decision = { decision: 'approve', ground: 'As every month' };
    const { status } = await callApi<{ status: string }>(
      desk.context(),
      'POST',
      `/admin/payouts/${id}/decision`,
      decision,
    );
    // The daily total may require a second approval.
    if (status !== 'approved') await callApi(second.context(), 'POST', `/admin/payouts/${id}/decision`, decision);
  }
  await desk.goto('/admin/payouts?queue=toSend');
  await hydrated(desk);
  await desk.getByRole('button', { name: 'Make the ACH file' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Make the ACH file' }).click();
  await expect(desk).toHaveURL('/admin/payouts/batches');
  const saving = desk.waitForEvent('download');
  await desk
    .getByRole('button', { name: /^Download / })
    .first()
    .click();
  const file = await readFile(await (await saving).path(), 'utf8');
  const records = file.split(/\r?\n/);
  const cents = records.filter((one) => one.startsWith('6')).map((one) => Number(one.slice(29, 39)));
  expect(cents).toEqual(expect.arrayContaining([2_137, 2_012]));
  const control = records.find((one) => one.startsWith('9')) ?? '';
  expect(Number(control.slice(43, 55))).toBe(cents.reduce((sum, one) => sum + one, 0));
  for (const id of ids)
    await callApi(desk.context(), 'POST', `/admin/payouts/${id}/transfer`, {
      step: 'paid',
      ground: 'On the statement of the bank',
    });
  expect(await earned()).toEqual({ paid: had.paid + 2_137, claimed: had.claimed + 2_053 });
  await page.reload();
  await hydrated(page);
  await expect(line).toContainText('Transferred');
  await set(before);
});

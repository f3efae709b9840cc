/** The desk: a creator asks for a payout, two operators approve it by keyboard, it is sent, and the creator sees it arrive. */
import type { BrowserContext, Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { makeOperator } from './support/database.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, PASSWORD, type Person, test } from './support/fixtures.ts';

const MAKER = 'demo.creator';
type Settings = Record<string, number>;
type Listed = { data: { id: string; status: string; transfer: string | null }[] };

async function openDesk(account: Person): Promise<Page> {
  await makeOperator(account.username);
  await logIn(account.context, account.username);
  const { secret } = await callApi<{ secret: string }>(account.context, 'POST', '/auth/two-factor/begin', {
    currentPassword: PASSWORD,
  });
  await callApi(account.context, 'POST', '/auth/two-factor/enable', { code: generateSync({ secret }) });
  await account.page.goto('/admin');
  await hydrated(account.page);
  return account.page;
}

/** One that waits: what the demo's creator asked for, or asks for now. */
async function requested(context: BrowserContext): Promise<string> {
  const { data } = await callApi<Listed>(context, 'GET', '/creator/payouts?status=requested');
  if (data[0]) return data[0].id;
  const methods = await callApi<Listed>(context, 'GET', '/payout-methods');
  const body = { amount: 20, methodId: methods.data[0]?.id };
  return (await callApi<{ id: string }>(context, 'POST', '/creator/payouts', body)).id;
}

test('a payout is asked for, approved by two, sent and seen to arrive', async ({ open, person }) => {
  const maker = await open({ width: 390 });
  await logIn(maker.context, MAKER);
  const id = await requested(maker.context);
  const [desk, second] = [
    await openDesk(await person('customer')),
    await openDesk(await person('customer', { isPhone: true })),
  ];

  // What waits leads to it.
  await expectAccessible(desk);
  await desk.getByRole('list', { name: 'What waits' }).getByRole('link', { name: 'Payouts to approve' }).click();
  await expect(desk).toHaveURL('/admin/payouts');
  // Above a limit that is set here two operators approve.
  await desk.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Settings' }).click();
  const limit = desk.getByLabel('Second approver above');
  const before = await limit.inputValue();
  await limit.fill('5');
  await desk.locator('form').filter({ has: limit }).getByLabel('Why').fill('A second look at small sums');
  await desk.locator('form').filter({ has: limit }).getByRole('button', { name: 'Save' }).click();
  const change = desk.getByRole('list', { name: 'Changes' }).getByRole('listitem').first();
  await expect(change).toContainText('Second approver above: $150.00 to $5.00');
  await expectAccessible(desk);

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
  // The other's screen is as it was: what happened meanwhile is said.
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
  // A higher limit takes two of them.
  await callApi(second.context(), 'POST', '/admin/wanted-settings/secondApprover/decision', {
    decision: 'confirm',
    to: Number(before),
    ground: 'As it was before',
  });
});

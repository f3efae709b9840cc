import { logInAsOperator, openCasePage } from './support/admin.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { addFunds, fetchWalletBalance } from './support/money.ts';

test('a large refund of a case waits for a second operator, who confirms it on a phone', async ({
  createUser,
  createApiUser,
}) => {
  const [creator, fan] = [await createConfirmedAccount('creator'), await createApiUser('customer')];
  const { id } = creator;
  await addFunds(fan.context, 200);
  await callApi(fan.context, 'POST', `/tip/customer-send/${id}`, { amount: 160, type: 'profile' });
  const body = { reportUserId: id, type: 'profile', typeId: id, message: 'They promised a call that never was.' };
  await callApi(fan.context, 'POST', '/report/submit-report', body);

  const adminPage = await logInAsOperator(await createUser('customer'), 'owner');
  const second = await logInAsOperator(await createUser('customer', { width: 390, isPhone: true }), 'finance');
  await openCasePage(adminPage, creator.username, `Profile reported: @${creator.username}`);
  await adminPage.getByRole('radio', { name: /^Refund/ }).check();
  await adminPage.getByRole('checkbox', { name: new RegExp(`@${fan.username} to @${creator.username}`) }).check();
  await adminPage.getByLabel('Reason').fill('The call did not take place.');
  await adminPage.getByRole('button', { name: 'Refund', exact: true }).dblclick();
  await expect(adminPage.getByText(/^SD-\S+: awaiting second approval\.$/)).toBeVisible();
  const pendingRegion = adminPage.getByRole('region', { name: 'Awaiting second approval: $160.00' });
  await expect(pendingRegion).toContainText(/^You requested to refund \$160\.00 in case SD-/);
  await expect(pendingRegion).toContainText('Another staff member needs to confirm this. Nothing changes until then.');
  await expect(pendingRegion.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
  expect(await fetchWalletBalance(fan.context)).toBe(40);

  await second.goto('/admin/approvals');
  await waitForHydration(second);
  const approval = second
    .getByRole('region', { name: 'Awaiting second approval: $160.00' })
    .filter({ hasText: 'The call did not take place.' });
  await expect(approval).toContainText('requested to refund $160.00 in case SD-');
  await expect(approval.getByRole('list', { name: 'Refund items' })).toContainText('Tip$160.00@');
  await expect(approval.getByRole('link', { name: 'View case' })).toHaveCount(0);
  await approval.getByLabel('Reason').fill('The log of calls says so too.');
  await expectAccessible(second);
  await approval.getByRole('button', { name: 'Confirm refund' }).tap();
  await expect(approval).toHaveCount(0);
  expect(await fetchWalletBalance(fan.context)).toBe(200);
});

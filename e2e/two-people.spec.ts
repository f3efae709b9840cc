import { openCase, sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, signUp, test } from './support/fixtures.ts';
import { addFunds, balanceOf } from './support/money.ts';

test('a large refund of a case waits for a second operator, who confirms it on a phone', async ({
  person,
  apiUser,
}) => {
  const [maker, fan] = [await signUp('creator'), await apiUser('customer')];
  const { id } = maker;
  await addFunds(fan.context, 200);
  await callApi(fan.context, 'POST', `/tip/customer-send/${id}`, { amount: 160, type: 'profile' });
  const body = { reportUserId: id, type: 'profile', typeId: id, message: 'They promised a call that never was.' };
  await callApi(fan.context, 'POST', '/report/submit-report', body);

  const desk = await sitDown(await person('customer'), 'owner');
  const second = await sitDown(await person('customer', { width: 390, isPhone: true }), 'finance');
  await openCase(desk, maker.username, `Profile reported: @${maker.username}`);
  await desk.getByRole('radio', { name: /^Refund/ }).check();
  await desk.getByRole('checkbox', { name: new RegExp(`@${fan.username} to @${maker.username}`) }).check();
  await desk.getByLabel('Reason').fill('The call did not take place.');
  await desk.getByRole('button', { name: 'Refund', exact: true }).dblclick();
  await expect(desk.getByText(/^SD-\S+: awaiting second approval\.$/)).toBeVisible();
  const waits = desk.getByRole('region', { name: 'Awaiting second approval: $160.00' });
  await expect(waits).toContainText(/^You requested to refund \$160\.00 in case SD-/);
  await expect(waits).toContainText('Another operator needs to confirm this. Nothing changes until then.');
  await expect(waits.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
  expect(await balanceOf(fan.context)).toBe(40);

  await second.goto('/admin/to-confirm');
  await hydrated(second);
  const act = second
    .getByRole('region', { name: 'Awaiting second approval: $160.00' })
    .filter({ hasText: 'The call did not take place.' });
  await expect(act).toContainText('requested to refund $160.00 in case SD-');
  await expect(act.getByRole('list', { name: 'Refund items' })).toContainText('Tip$160.00@');
  await expect(act.getByRole('link', { name: 'View case' })).toHaveCount(0);
  await act.getByLabel('Reason').fill('The log of calls says so too.');
  await expectAccessible(second);
  await act.getByRole('button', { name: 'Confirm refund' }).tap();
  await expect(act).toHaveCount(0);
  expect(await balanceOf(fan.context)).toBe(200);
});

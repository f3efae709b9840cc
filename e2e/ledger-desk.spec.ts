/** An operator follows a tip from a username to its legs and its place in the log; the look is noted, and the pages are sound. */
import { makeOperator } from './support/database.ts';
import { setUpSecondFactor } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, test } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

const DESK = '/admin/ledger';

test('an operator looks a tip up by who gave it, and the look is noted', async ({ person }) => {
  const [fan, maker, staff] = [await person('customer'), await person('creator'), await person('customer')];
  await addFunds(fan.context, 20);
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  await callApi(fan.context, 'POST', `/tip/customer-send/${id}`, { amount: 7, type: 'profile' });

  await makeOperator(staff.username, ['auditor']);
  await logIn(staff.context, staff.username);
  const { page } = staff;
  await page.goto(DESK);
  await expect(page.getByRole('link', { name: 'Set up two-factor log-in' })).toBeVisible();
  await setUpSecondFactor(staff);
  await page.goto(DESK);
  await hydrated(page);
  await page.getByLabel('Look up').fill(fan.username);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(new RegExp(`q=${fan.username}`));
  await page.getByRole('link', { name: 'Fan’s wallet' }).click();
  await expect(page).toHaveURL(/\/admin\/ledger\/accounts\//);
  await expect(page.getByRole('row', { name: /^Tip.*−\$7\.00.*\$13\.00/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Tip', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/ledger\/transactions\//);
  await expect(page.getByText(`@${fan.username} paid $7.00 to @${maker.username}`)).toBeVisible();
  await expect(page.getByRole('row', { name: /^Both sides.*\$7\.00.*\$7\.00/ })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/admin/audit?act=ledger.look');
  await hydrated(page);
  await expect(page.getByText(/^The chain holds/)).toBeVisible();
  await page.getByText('Ledger: look', { exact: true }).filter({ visible: true }).first().click();
  await expect(page.getByRole('link', { name: /^Transaction / })).toBeVisible();
  await expectAccessible(page);
});

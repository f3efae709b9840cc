import { logInAsOperator, setUpSecondFactor } from './support/admin.ts';
import { makeOperator } from './support/database.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  logIn,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

const LEDGER_PATH = '/admin/ledger';

test('an auditor finds a tip by its sender and reads settlements without a form', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator, staff] = [
    await createApiUser('customer'),
    await createConfirmedAccount('creator'),
    await createUser('customer'),
  ];
  await addFunds(fan.context, 20);
  await callApi(fan.context, 'POST', `/tip/customer-send/${creator.id}`, { amount: 7, type: 'profile' });

  await makeOperator(staff.username, ['auditor']);
  await logIn(staff.context, staff.username);
  const { page } = staff;
  await page.goto(LEDGER_PATH);
  await expect(page.getByRole('link', { name: 'Set up two-factor authentication' })).toBeVisible();
  await setUpSecondFactor(staff);
  await page.goto(LEDGER_PATH);
  await waitForHydration(page);
  await page.getByLabel('Look up').fill(fan.username);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(new RegExp(`q=${fan.username}`));
  await page.getByRole('link', { name: 'Fan’s wallet' }).click();
  await expect(page).toHaveURL(/\/admin\/ledger\/accounts\//);
  await expect(page.getByRole('row', { name: /^Tip.*−\$7\.00.*\$13\.00/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Tip', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/ledger\/transactions\//);
  await expect(page.getByText(`@${fan.username} paid $7.00 to @${creator.username}`)).toBeVisible();
  await expect(page.getByRole('row', { name: /^Both sides.*\$7\.00.*\$7\.00/ })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/admin/ledger/settlements');
  await expect(page.getByRole('heading', { name: 'Settlements', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Record/ })).toHaveCount(0);
});

test('finance books a settlement of the processor once and reverses a wrong one', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, staff] = [await createApiUser('customer'), await createUser('customer')];
  await addFunds(fan.context, 50);
  const page = await logInAsOperator(staff, 'finance', '/admin/ledger/settlements');

  const reference = `CCB-${staff.username}`;
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel('Reference').fill(reference);
  await page.getByLabel('Bank date').fill(today);
  await page.getByLabel('Received at bank').fill('900000');
  await page.getByLabel('Processor fees', { exact: true }).fill('4.80');
  await page.getByLabel('Chargeback fees').fill('0');
  await page.getByRole('button', { name: 'Record $900,004.80' }).click();
  await expect(page.getByText(/^The processor owes \$[\d,.]+, but this settlement is \$900,004\.80\./)).toBeVisible();
  await page.getByLabel('Received at bank').fill('35.20');
  await page.getByRole('button', { name: 'Record $40.00' }).dblclick();
  await expect(page.getByText(`${reference} recorded. The processor owes us $40.00 less.`)).toBeVisible();
  const settlementItem = page
    .getByRole('list', { name: 'Settlements' })
    .getByRole('listitem')
    .filter({ hasText: reference });
  await expect(settlementItem).toHaveCount(1);
  await expect(settlementItem).toContainText(`${today} · $4.80 in fees`);
  await expect(page.getByLabel('Reference')).toHaveValue('');

  await settlementItem.locator('summary').click();
  await settlementItem.getByRole('link', { name: 'View transaction' }).click();
  await expect(page).toHaveURL(/\/admin\/ledger\/transactions\//);
  await expect(page.getByRole('row', { name: /^Both sides.*\$40\.00.*\$40\.00/ })).toBeVisible();
  await page.goBack();
  await settlementItem.locator('summary').click();
  await settlementItem.getByLabel('Reason').fill('These are the sums of another week');
  await settlementItem.getByRole('button', { name: 'Reverse $40.00' }).dblclick();
  await expect(page.getByText(`${reference} reversed. You can record it again.`)).toBeVisible();
  await expect(settlementItem).toContainText('Reversed');
  await expect(settlementItem.getByRole('button', { name: /^Reverse/ })).toHaveCount(0);
  await expect(settlementItem).toContainText('These are the sums of another week');
});

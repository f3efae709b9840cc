import { makeOperator } from './support/database.ts';
import { setUpSecondFactor, sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, signUp, test } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

const DESK = '/admin/ledger';

test('an auditor finds a tip by its sender and reads settlements without a form', async ({ person, apiUser }) => {
  const [fan, maker, staff] = [await apiUser('customer'), await signUp('creator'), await person('customer')];
  await addFunds(fan.context, 20);
  await callApi(fan.context, 'POST', `/tip/customer-send/${maker.id}`, { amount: 7, type: 'profile' });

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

  await page.goto('/admin/ledger/settlements');
  await expect(page.getByRole('heading', { name: 'Settlements', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Book/ })).toHaveCount(0);
});

test('finance books a settlement of the processor once and reverses a wrong one', async ({ person, apiUser }) => {
  const [fan, staff] = [await apiUser('customer'), await person('customer')];
  await addFunds(fan.context, 50);
  const page = await sitDown(staff, 'finance', '/admin/ledger/settlements');

  const reference = `CCB-${staff.username}`;
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel('Reference').fill(reference);
  await page.getByLabel('At the bank on').fill(today);
  await page.getByLabel('Came to the bank').fill('900000');
  await page.getByLabel('Fees kept', { exact: true }).fill('4.80');
  await page.getByLabel('Fees of chargebacks kept').fill('0');
  await page.getByRole('button', { name: 'Book $900,004.80' }).click();
  await expect(
    page.getByText(/^By the books the processor owes us \$[\d,.]+, and this would be \$900,004\.80\./),
  ).toBeVisible();
  await page.getByLabel('Came to the bank').fill('35.20');
  await page.getByRole('button', { name: 'Book $40.00' }).dblclick();
  await expect(page.getByText(`${reference} is booked: $40.00 less is owed to us.`)).toBeVisible();
  const line = page.getByRole('list', { name: 'Settlements' }).getByRole('listitem').filter({ hasText: reference });
  await expect(line).toHaveCount(1);
  await expect(line).toContainText(`${today} · $4.80 kept`);
  await expect(page.getByLabel('Reference')).toHaveValue('');

  await line.locator('summary').click();
  await line.getByRole('link', { name: 'Its transaction' }).click();
  await expect(page).toHaveURL(/\/admin\/ledger\/transactions\//);
  await expect(page.getByRole('row', { name: /^Both sides.*\$40\.00.*\$40\.00/ })).toBeVisible();
  await page.goBack();
  await line.locator('summary').click();
  await line.getByLabel('Why it is wrong').fill('These are the sums of another week');
  await line.getByRole('button', { name: 'Take $40.00 back' }).dblclick();
  await expect(page.getByText(`${reference} is taken back, and may be booked anew.`)).toBeVisible();
  await expect(line).toContainText('Taken back');
  await expect(line.getByRole('button', { name: /^Take/ })).toHaveCount(0);
  await expect(line).toContainText('These are the sums of another week');
});

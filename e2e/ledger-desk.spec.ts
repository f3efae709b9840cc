/**
 * An operator follows a tip from a username to its legs and its place in the log; the look is noted, and the pages are sound. Another
 * books what the processor paid out.
 */
import { makeOperator } from './support/database.ts';
import { setUpSecondFactor, sitDown } from './support/desk.ts';
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

test('what the processor paid out is booked once, from however many tabs, and taken back when it was wrong', async ({
  person,
}) => {
  const [fan, staff] = [await person('customer'), await person('customer')];
  await addFunds(fan.context, 50);
  const page = await sitDown(staff, 'finance', DESK);
  await page.getByRole('link', { name: 'Settlements' }).click();
  await expect(page.getByRole('heading', { name: 'Settlements', level: 1 })).toBeFocused();
  const tab = await staff.context.newPage();
  await tab.goto('/admin/ledger/settlements');
  await hydrated(tab);

  const reference = `CCB-${staff.username}`;
  const today = new Date().toISOString().slice(0, 10);
  const fill = async (on: typeof page, bank: string) => {
    await on.getByLabel('Reference').fill(reference);
    await on.getByLabel('At the bank on').fill(today);
    await on.getByLabel('Came to the bank').fill(bank);
    await on.getByLabel('Fees kept', { exact: true }).fill('4.80');
    await on.getByLabel('Fees of chargebacks kept').fill('0');
  };
  await fill(page, '900000');
  await page.getByRole('button', { name: 'Book $900,004.80' }).click();
  await expect(
    page.getByText(/^By the books the processor owes us \$[\d,.]+, and this would be \$900,004\.80\./),
  ).toBeVisible();
  await fill(page, '35.20');
  await fill(tab, '36.20');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Book $40.00' }).dblclick();
  await expect(page.getByText(`${reference} is booked: $40.00 less is owed to us.`)).toBeVisible();
  const line = page.getByRole('list', { name: 'Settlements' }).getByRole('listitem').filter({ hasText: reference });
  await expect(line).toHaveCount(1);
  await expect(line).toContainText(`${today} · $4.80 kept`);
  await expect(page.getByLabel('Reference')).toHaveValue('');

  await tab.getByRole('button', { name: 'Book $41.00' }).click();
  await expect(
    tab.getByText(`${reference} is booked already: $35.20 to the bank on ${today}, and $4.80 kept.`),
  ).toBeVisible();
  await tab.getByLabel('Came to the bank').fill('35.20');
  await tab.getByRole('button', { name: 'Book $40.00' }).click();
  await expect(tab.getByText(`${reference} is booked: $40.00 less is owed to us.`)).toBeVisible();
  await expect(
    tab.getByRole('list', { name: 'Settlements' }).getByRole('listitem').filter({ hasText: reference }),
  ).toHaveCount(1);

  await line.locator('summary').click();
  await line.getByRole('link', { name: 'Its transaction' }).click();
  await expect(page).toHaveURL(/\/admin\/ledger\/transactions\//);
  await expect(page.getByRole('row', { name: /^Both sides.*\$40\.00.*\$40\.00/ })).toBeVisible();
  await page.goBack();
  await line.locator('summary').click();
  await line.getByLabel('Why it is wrong').fill('These are the sums of another week');
  await expectAccessible(page);
  await line.getByRole('button', { name: 'Take $40.00 back' }).dblclick();
  await expect(page.getByText(`${reference} is taken back, and may be booked anew.`)).toBeVisible();
  await expect(line).toContainText('Taken back');
  await expect(line.getByRole('button', { name: /^Take/ })).toHaveCount(0);
  await expect(line).toContainText('These are the sums of another week');

  await page.goto('/admin/ledger/reconciliation');
  await hydrated(page);
  await expect(page.getByRole('heading', { name: 'What the processor owes us' })).toBeVisible();
  await expectAccessible(page);
});

test('a settlement is booked on a phone, and an auditor reads it without a form', async ({ person }) => {
  const [fan, staff, auditor] = [
    await person('customer'),
    await person('customer', { width: 390, isPhone: true }),
    await person('customer'),
  ];
  await addFunds(fan.context, 20);
  const page = await sitDown(staff, 'finance', '/admin/ledger/settlements');
  const reference = `CCB-${staff.username}`;
  await page.getByLabel('Reference').fill(reference);
  await page.getByLabel('At the bank on').fill(new Date().toISOString().slice(0, 10));
  await page.getByLabel('Came to the bank').fill('8.8');
  await page.getByLabel('Fees kept', { exact: true }).fill('1.2');
  await page.getByLabel('Fees of chargebacks kept').fill('0');
  await page.getByRole('button', { name: 'Book $10.00' }).tap();
  await expect(page.getByRole('list', { name: 'Settlements' })).toContainText(reference);
  await expectAccessible(page);

  const other = await sitDown(auditor, 'auditor', '/admin/ledger/settlements');
  await expect(other.getByRole('list', { name: 'Settlements' })).toContainText(reference);
  await expect(other.getByRole('button', { name: /^Book/ })).toHaveCount(0);
});

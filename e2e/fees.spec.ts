import { logInAsOperator } from './support/admin.ts';
import { callApi, expect, expectAccessible, getBaseUrl, test } from './support/fixtures.ts';

type Fees = Record<string, number>;

test('changed fees need a reason, must be consistent, and are visible immediately', async ({ createUser }) => {
  const creator = await createUser('creator', { width: 390 });
  const adminPage = await logInAsOperator(await createUser('customer', { isPhone: true }), 'owner', '/admin/settings');
  const daysField = adminPage.getByLabel('Days for newcomers');
  const form = adminPage.locator('form').filter({ has: daysField });
  const before = Number(await daysField.inputValue());
  const fetchPlans = async () => (await (await fetch(`${getBaseUrl()}/plans`)).text()).replaceAll('<!-- -->', '');
  expect(await fetchPlans()).toContain(`${before} days`);

  const shareField = form.getByLabel('Fan referral commission');
  const shareBefore = await shareField.inputValue();
  await shareField.fill('49');
  await expect(form.getByText(/^The commissions add up to \d+%, more than the fee of \d+%/)).toBeVisible();
  await shareField.fill(shareBefore);

  await daysField.fill(String(before + 1));
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Reason').fill('One more day to settle in');
  await form.getByRole('button', { name: 'Save' }).click();
  const change = adminPage.getByRole('list', { name: 'Fee change history' }).getByRole('listitem').first();
  await expect(change).toContainText(`Days for newcomers: ${before} days to ${before + 1} days`);
  await expect(change).toContainText('One more day to settle in');
  await expect.poll(fetchPlans).toContain(`${before + 1} days`);

  await adminPage.getByLabel('Creator’s username or email').fill(creator.username);
  await adminPage.getByRole('button', { name: 'Look up' }).tap();
  await expect(adminPage).toHaveURL(new RegExp(`creator=${creator.username}`));
  const row = adminPage.getByRole('list', { name: 'Creator fees' }).getByRole('listitem');
  await expect(row.locator('summary')).toContainText('Default');
  await row.locator('summary').click();
  await row.getByLabel('Custom standard fee').fill('8');
  await row.getByLabel('Custom offer fee').fill('6');
  await row.getByLabel('Last day').fill('2099-12-31');
  await row.getByLabel('Reason').fill('They bring their choir');
  await expectAccessible(adminPage);
  await row.getByRole('button', { name: 'Save fee' }).tap();
  await expect(row.locator('summary')).toContainText('Custom');
  await expect(change).toContainText(
    `@${creator.username}: the standard fee to 8%, with an offer of 6% until 2099-12-31`,
  );
  await creator.page.goto('/creator/fees');
  await expect(creator.page.getByText('6%').first()).toBeVisible();
  const fee = creator.page.getByRole('region', { name: 'Platform fee' });
  await expect(fee).toContainText('Custom8%Your custom rate');
  await expect(fee).toContainText('Custom offer6%Your custom rate');
  await expect(fee).not.toContainText('For all creators');

  const fees = await callApi<Fees>(adminPage.context(), 'GET', '/admin/fees');
  await callApi(adminPage.context(), 'PUT', '/admin/fees', {
    from: fees,
    to: { ...fees, offerDays: before },
    reason: 'As it was before',
  });
});

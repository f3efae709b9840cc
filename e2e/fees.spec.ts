import { sitDown } from './support/desk.ts';
import { baseUrl, callApi, expect, expectAccessible, test } from './support/fixtures.ts';

type Fees = Record<string, number>;

test('changed fees need a reason, must be consistent, and are visible immediately', async ({ person }) => {
  const creator = await person('creator', { width: 390 });
  const desk = await sitDown(await person('customer', { isPhone: true }), 'owner', '/admin/settings');
  const days = desk.getByLabel('Days for newcomers');
  const form = desk.locator('form').filter({ has: days });
  const before = Number(await days.inputValue());
  const plans = async () => (await (await fetch(`${baseUrl()}/plans`)).text()).replaceAll('<!-- -->', '');
  expect(await plans()).toContain(`${before} days`);

  const share = form.getByLabel('Fan referral commission');
  const was = await share.inputValue();
  await share.fill('49');
  await expect(form.getByText(/^The commissions add up to \d+%, more than the fee of \d+%/)).toBeVisible();
  await share.fill(was);

  await days.fill(String(before + 1));
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Reason').fill('One more day to settle in');
  await form.getByRole('button', { name: 'Save' }).click();
  const change = desk.getByRole('list', { name: 'Fee change history' }).getByRole('listitem').first();
  await expect(change).toContainText(`Days for newcomers: ${before} days to ${before + 1} days`);
  await expect(change).toContainText('One more day to settle in');
  await expect.poll(plans).toContain(`${before + 1} days`);

  await desk.getByLabel('Creator’s username or email').fill(creator.username);
  await desk.getByRole('button', { name: 'Look up' }).tap();
  await expect(desk).toHaveURL(new RegExp(`creator=${creator.username}`));
  const row = desk.getByRole('list', { name: 'Creator fees' }).getByRole('listitem');
  await expect(row.locator('summary')).toContainText('Default');
  await row.locator('summary').click();
  await row.getByLabel('Custom standard fee').fill('8');
  await row.getByLabel('Custom offer fee').fill('6');
  await row.getByLabel('Last day').fill('2099-12-31');
  await row.getByLabel('Reason').fill('They bring their choir');
  await expectAccessible(desk);
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

  const now = await callApi<Fees>(desk.context(), 'GET', '/admin/fees');
  await callApi(desk.context(), 'PUT', '/admin/fees', {
    from: now,
    to: { ...now, offerDays: before },
    ground: 'As it was before',
  });
});

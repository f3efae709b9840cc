import { logInAsOperator } from './support/admin.ts';
import { getDemoContent } from './support/demo-content.ts';
import { expect, expectAccessible, getBaseUrl, PASSWORD, test, waitForHydration } from './support/fixtures.ts';

test('support finds a user by keyboard and passes a ticket on for a refund', async ({ createUser }) => {
  const adminPage = await logInAsOperator(await createUser('customer'), 'support', '/admin');
  await adminPage.keyboard.press('Control+k');
  await expect(adminPage.getByRole('heading', { name: 'Search', level: 1 })).toBeVisible();
  const searchField = adminPage.getByRole('searchbox', { name: 'Look up' });
  await expect(searchField).toBeFocused();
  await adminPage.keyboard.type('demo.fan');
  await adminPage.keyboard.press('Enter');
  const result = adminPage.getByRole('list', { name: 'People' }).getByRole('link').first();
  await expect(result).toBeVisible();
  await waitForHydration(adminPage);
  await result.press('Enter');
  await expect(adminPage).toHaveURL(/\/admin\/users\//);
  await expect(adminPage.getByText('Your view is recorded in the audit log.')).toBeVisible();
  await expect(adminPage.getByRole('list', { name: 'Accounts' })).toHaveCount(0);
  await expectAccessible(adminPage);

  await adminPage.getByRole('link', { name: 'A receipt for my tax return' }).press('Enter');
  await expect(adminPage.getByRole('list', { name: 'Purchases' })).toBeVisible();
  await adminPage.getByRole('button', { name: 'Send to finance' }).press('Enter');
  await adminPage.getByLabel('Note for finance').fill('The last one does not open.');
  await adminPage.getByRole('button', { name: 'Send to finance' }).press('Enter');
  await expect(adminPage.getByText(/sent to finance\./)).toBeVisible();
});

test('the console shows a post with its sales, its pictures on request, and a call with its timeline', async ({
  createUser,
  request,
}) => {
  const account = await createUser('customer', { isPhone: true });
  const { locked } = await getDemoContent(account.context);
  const adminPage = await logInAsOperator(account, 'owner');
  const credentials = { username: 'demo.fan', password: PASSWORD };
  expect((await request.post(`${getBaseUrl()}/api/auth/login`, { data: credentials })).ok()).toBe(true);
  const history = await request.get(`${getBaseUrl()}/api/call/call-history`);
  const { data } = (await history.json()) as { data: { callLogId: string }[] };

  await adminPage.goto(`/admin/posts/${locked}`);
  await waitForHydration(adminPage);
  await expect(adminPage.getByRole('heading', { name: 'Sales' })).toBeVisible();
  await adminPage.getByRole('button', { name: 'Show', exact: true }).tap();
  await expect(adminPage.getByText('Your view is recorded in the audit log.')).toHaveCount(0);
  await expect(adminPage.getByRole('main').getByRole('img').first()).toBeVisible();
  await expectAccessible(adminPage);

  await adminPage.goto(`/admin/calls/${data[0]?.callLogId}`);
  await waitForHydration(adminPage);
  await expect(adminPage.getByRole('list', { name: 'Timeline' })).toBeVisible();
  await expectAccessible(adminPage);
});

import { sitDown } from './support/desk.ts';
import { baseUrl, expect, expectAccessible, hydrated, PASSWORD, test } from './support/fixtures.ts';
import { demoPlaces } from './support/places.ts';

test('support finds a user by keyboard and passes a ticket on for a refund', async ({ person }) => {
  const desk = await sitDown(await person('customer'), 'support', '/admin');
  await desk.keyboard.press('Control+k');
  await expect(desk.getByRole('heading', { name: 'Search', level: 1 })).toBeVisible();
  const field = desk.getByRole('searchbox', { name: 'Look up' });
  await expect(field).toBeFocused();
  await desk.keyboard.type('demo.fan');
  await desk.keyboard.press('Enter');
  const found = desk.getByRole('list', { name: 'People' }).getByRole('link').first();
  await expect(found).toBeVisible();
  await hydrated(desk);
  await found.press('Enter');
  await expect(desk).toHaveURL(/\/admin\/people\//);
  await expect(desk.getByText('Your view is recorded in the audit log.')).toBeVisible();
  await expect(desk.getByRole('list', { name: 'Accounts' })).toHaveCount(0);
  await expectAccessible(desk);

  await desk.getByRole('link', { name: 'A receipt for my tax return' }).press('Enter');
  await expect(desk.getByRole('list', { name: 'Purchases' })).toBeVisible();
  await desk.getByRole('button', { name: 'Send to finance' }).press('Enter');
  await desk.getByLabel('Note for finance').fill('The last one does not open.');
  await desk.getByRole('button', { name: 'Send to finance' }).press('Enter');
  await expect(desk.getByText(/sent to finance\./)).toBeVisible();
});

test('the console shows a post with its sales, its pictures on request, and a call with its timeline', async ({
  person,
  request,
}) => {
  const account = await person('customer', { isPhone: true });
  const { locked } = await demoPlaces(account.context);
  const desk = await sitDown(account, 'owner');
  const fan = { username: 'demo.fan', password: PASSWORD };
  expect((await request.post(`${baseUrl()}/api/auth/login`, { data: fan })).ok()).toBe(true);
  const history = await request.get(`${baseUrl()}/api/call/call-history`);
  const { data } = (await history.json()) as { data: { callLogId: string }[] };

  await desk.goto(`/admin/posts/${locked}`);
  await hydrated(desk);
  await expect(desk.getByRole('heading', { name: 'Sales' })).toBeVisible();
  await desk.getByRole('button', { name: 'Show', exact: true }).tap();
  await expect(desk.getByText('Your view is recorded in the audit log.')).toHaveCount(0);
  await expect(desk.getByRole('main').getByRole('img').first()).toBeVisible();
  await expectAccessible(desk);

  await desk.goto(`/admin/calls/${data[0]?.callLogId}`);
  await hydrated(desk);
  await expect(desk.getByRole('list', { name: 'Timeline' })).toBeVisible();
  await expectAccessible(desk);
});

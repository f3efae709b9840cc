import { sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, test } from './support/fixtures.ts';
import { demoPlaces } from './support/places.ts';

test('support finds a user by keyboard and assigns a case, and finance refunds a purchase', async ({ person }) => {
  const [one, other] = [await person('customer'), await person('customer', { isPhone: true })];
  const [desk, finance] = [await sitDown(one, 'support'), await sitDown(other, 'finance')];
  await desk.goto('/admin');
  await hydrated(desk);
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
  await expect(desk.getByText('That you looked stays in the audit log.')).toBeVisible();
  await expect(desk.getByRole('list', { name: 'Accounts' })).toHaveCount(0);
  await expectAccessible(desk);

  await desk.getByRole('link', { name: 'A receipt for my tax return' }).press('Enter');
  await expect(desk.getByRole('list', { name: 'Purchases' })).toBeVisible();
  await desk.getByRole('button', { name: 'Pass on for a refund' }).press('Enter');
  await desk.getByLabel('What finance needs to know').fill('The last one does not open.');
  await desk.getByRole('button', { name: 'Pass on for a refund' }).press('Enter');
  await expect(desk.getByText(/is with finance\./)).toBeVisible();

  await finance.goto('/admin/cases');
  await hydrated(finance);
  await finance.getByRole('link', { name: 'A receipt for my tax return' }).first().click();
  const choice = finance.getByRole('group', { name: 'What is given back' }).getByRole('checkbox').first();
  await choice.check();
  await finance.getByLabel('Ground').fill('It does not open.');
  await expect(finance.getByText(/We gave you \$[\d.]+ back that you had paid to @/)).toBeVisible();
  await expectAccessible(finance);
  await finance.getByRole('button', { name: 'Give the money back' }).click();
  await expect(finance.getByText('Money that was given back is not taken back.').first()).toBeVisible();
});

test('the console shows a post with its sales, its pictures on request, and a call with its timeline', async ({
  person,
  open,
}) => {
  const desk = await sitDown(await person('customer', { isPhone: true }), 'owner');
  const { context } = await open();
  const { locked } = await demoPlaces(context);
  await logIn(context, 'demo.fan');
  const { data } = await callApi<{ data: { callLogId: string }[] }>(context, 'GET', '/call/call-history');

  await desk.goto(`/admin/posts/${locked}`);
  await hydrated(desk);
  await expect(desk.getByRole('heading', { name: 'Sold' })).toBeVisible();
  await desk.getByRole('button', { name: 'Show', exact: true }).tap();
  await expect(desk.getByText('That you looked stays in the audit log.')).toHaveCount(0);
  await expect(desk.getByRole('main').getByRole('img').first()).toBeVisible();
  await expectAccessible(desk);

  await desk.goto(`/admin/calls/${data[0]?.callLogId}`);
  await hydrated(desk);
  await expect(desk.getByRole('list', { name: 'Timeline' })).toBeVisible();
  await expectAccessible(desk);
});

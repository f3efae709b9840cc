import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import { generateSync } from 'otplib';
import { ageLogin, makeOperator } from './support/database.ts';
import { sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, PASSWORD, type Person, test } from './support/fixtures.ts';

/** Logs in an operator with two-factor authentication. Returns another valid code. */
async function logInWithCode(account: Person, roles?: readonly OperatorRole[]): Promise<string> {
  if (roles) await makeOperator(account.username, roles);
  await logIn(account.context, account.username);
  const begin = { currentPassword: PASSWORD };
  const { secret } = await callApi<{ secret: string }>(account.context, 'POST', '/auth/two-factor/begin', begin);
  const code = generateSync({ secret });
  const enabled = { code };
  const on = await callApi<{ recoveryCodes: string[] }>(account.context, 'POST', '/auth/two-factor/enable', enabled);
  return on.recoveryCodes[0] ?? '';
}

test('an owner confirms their identity, invites a moderator, and removes them again', async ({ person }) => {
  const [owner, colleague] = [await person('customer'), await person('customer', { isPhone: true })];
  const code = await logInWithCode(owner, ['owner']);
  const { page } = owner;
  await page.goto('/admin/team');
  await hydrated(page);
  await ageLogin(owner.username);
  // Session data is cached for a few seconds, during which no confirmation is required.
  const nobody = '/api/admin/verifications/0198a1b2-0000-7000-8000-000000000000';
  await expect.poll(async () => (await page.request.get(nobody)).status()).toBe(403);

  const form = page.getByRole('form', { name: 'Invite somebody' });
  await form.getByLabel('Username of their account').fill(colleague.username);
  await form.getByRole('checkbox', { name: /^Moderator/ }).check();
  await form.getByLabel('Why').fill('Verification takes too long');
  await form.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Please prove again that it is you' });
  await expectAccessible(page);
  await dialog.getByLabel('Your password').fill('Wrong1!password');
  await dialog.getByLabel('Code').fill(code);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog.getByText('Wrong password.')).toBeVisible();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog).toBeHidden();
  const line = page.getByRole('list', { name: 'Team' }).getByRole('listitem').filter({ hasText: colleague.username });
  await expect(line).toContainText('Two-factor off');

  await logInWithCode(colleague);
  await colleague.page.goto('/admin');
  await hydrated(colleague.page);
  const nav = colleague.page.getByRole('navigation', { name: 'Desk' });
  await expect(nav.getByRole('link', { name: 'Verification' })).toBeVisible();
  await expect(nav.getByRole('link', { name: 'Payouts' })).toHaveCount(0);

  await line.locator('summary').press('Enter');
  await line.getByRole('checkbox', { name: /^Moderator/ }).uncheck();
  await line.getByLabel('Why').fill('Went on to something else');
  await line.getByRole('button', { name: 'Take every role back' }).click();
  await expect(line).toContainText('No role any more');
  await colleague.page.goto('/admin');
  await expect(colleague.page).toHaveURL(/^[^?]*\/login/);
});

const THEIRS: readonly [OperatorRole, string[], string][] = [
  [
    'moderator',
    ['What waits', 'Search', 'Cases', 'Verification', 'New creators', 'Calls', 'Switches', 'Announcements'],
    '/admin/ledger',
  ],
  [
    'finance',
    [
      ...['What waits', 'Search', 'Cases', 'Payouts', 'To confirm', 'Debtors', 'Processor', 'Differences', 'Alarms'],
      ...['Ledger', 'Switches', 'Announcements', 'Settings'],
    ],
    '/admin/verifications',
  ],
  [
    'support',
    ['What waits', 'Search', 'Cases', 'New creators', 'Calls', 'Live state', 'Push', 'Switches', 'Announcements'],
    '/admin/verifications',
  ],
];
for (const [role, labels, elsewhere] of THEIRS)
  test(`the console of the role ${role} shows only what the role may use`, async ({ person }) => {
    const page = await sitDown(await person('customer'), role, '/admin');
    const links = page.getByRole('navigation', { name: 'Desk' }).getByRole('link');
    await expect(links).toHaveCount(labels.length);
    for (const [index, label] of labels.entries()) await expect(links.nth(index)).toContainText(label);
    await page.goto(elsewhere);
    await expect(page.getByText('Your roles do not include this page.')).toBeVisible();
    if (role === 'moderator') await expectAccessible(page);
  });

test('an auditor reads without changing, and documents require an identity confirmation that leads back', async ({
  person,
}) => {
  const moderator = await person('customer');
  const page = await sitDown(await person('customer'), 'auditor', '/admin/settings');
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await page.goto('/admin/payouts?search=demo.creator');
  await hydrated(page);
  await page.locator('a[href^="/admin/payouts/"]:not([href*="/batches"]):not([href*="/notices"])').first().click();
  await expect(page.getByText('Your roles let you read this.')).toBeVisible();

  const code = await logInWithCode(moderator, ['moderator']);
  await ageLogin(moderator.username);
  const desk = moderator.page;
  await desk.goto('/admin/verifications');
  await hydrated(desk);
  const papers = desk.locator('a[href^="/admin/verifications/"]').first();
  const address = (await papers.getAttribute('href')) ?? '';
  await expect(async () => {
    await desk.goto(address);
    await expect(desk).toHaveURL(/\/admin\/prove\?back=/, { timeout: 1_000 });
  }).toPass();
  await hydrated(desk);
  await expectAccessible(desk);
  await desk.getByLabel('Your password').fill(PASSWORD);
  await desk.getByLabel('Code').fill(code);
  await desk.getByRole('button', { name: 'Go on' }).click();
  await expect(desk).toHaveURL(address);
  await expect(desk.getByRole('region', { name: 'Documents' })).toBeVisible();
});

import type { Page } from '@playwright/test';
import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import { generateSync } from 'otplib';
import { ageLogin, makeOperator } from './support/database.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, PASSWORD, type Person, test } from './support/fixtures.ts';

/** Waits until sensitive requests are refused. Session data is cached for a few seconds after the log-in has aged. */
async function requiresProof({ request }: Page): Promise<void> {
  const missing = '/api/admin/verifications/0198a1b2-0000-7000-8000-000000000000';
  await expect.poll(async () => (await request.get(missing)).status()).toBe(403);
}

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

test('an owner confirms their identity and invites a moderator, who sees their pages and documents until removed', async ({
  person,
}) => {
  const [owner, colleague] = [await person('customer'), await person('customer', { isPhone: true })];
  const code = await logInWithCode(owner, ['owner']);
  await ageLogin(owner.username);
  const { page } = owner;
  await page.goto('/admin/team');
  await hydrated(page);
  const form = page.getByRole('form', { name: 'Invite staff' });
  await form.getByLabel('Username').fill(colleague.username);
  await form.getByRole('checkbox', { name: /^Moderator/ }).check();
  await form.getByLabel('Reason').fill('Verification takes too long');
  await requiresProof(page);
  await form.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expectAccessible(page);
  await dialog.getByLabel('Your password').fill('Wrong1!password');
  await dialog.getByLabel('Code').fill(code);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('Incorrect password.')).toBeVisible();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toBeHidden();
  const staff = page.getByRole('list', { name: 'Staff', exact: true });
  const line = staff.getByRole('listitem').filter({ hasText: colleague.username });
  await expect(line).toContainText('Two-factor off');

  const desk = colleague.page;
  const theirCode = await logInWithCode(colleague);
  await ageLogin(colleague.username);
  await desk.goto('/admin/ledger');
  await expect(desk.getByText('Your roles don’t include this page.')).toBeVisible();
  const nav = desk.getByRole('navigation', { name: 'Console' });
  await expect(nav.getByRole('link', { name: 'Payouts' })).toHaveCount(0);
  await hydrated(desk);
  await nav.getByRole('link', { name: 'Verification' }).click();
  const papers = desk.locator('a[href^="/admin/verifications/"]').first();
  const address = (await papers.getAttribute('href')) ?? '';
  await requiresProof(desk);
  await desk.goto(address);
  await expect(desk).toHaveURL(/\/admin\/prove\?back=/);
  await hydrated(desk);
  await desk.getByLabel('Your password').fill(PASSWORD);
  await desk.getByLabel('Code').fill(theirCode);
  await desk.getByRole('button', { name: 'Continue' }).click();
  await expect(desk).toHaveURL(address);
  await expect(desk.getByRole('region', { name: 'Documents' })).toBeVisible();

  await line.locator('summary').press('Enter');
  await line.getByRole('checkbox', { name: /^Moderator/ }).uncheck();
  await line.getByLabel('Reason').fill('Went on to something else');
  await line.getByRole('button', { name: 'Remove all roles' }).click();
  await expect(line).toContainText('No roles');
  await desk.goto('/admin');
  await expect(desk).toHaveURL(/^[^?]*\/login/);
});

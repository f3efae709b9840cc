import type { Page } from '@playwright/test';
import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import { generateSync } from 'otplib';
import { ageLogin, makeOperator } from './support/database.ts';
import {
  type BrowserUser,
  callApi,
  expect,
  expectAccessible,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
} from './support/fixtures.ts';

/** Waits until sensitive requests are refused. Session data is cached for a few seconds after the log-in has aged. */
async function waitUntilStepUpRequired({ request }: Page): Promise<void> {
  const missing = '/api/admin/verifications/0198a1b2-0000-7000-8000-000000000000';
  await expect.poll(async () => (await request.get(missing)).status()).toBe(403);
}

/** Logs in an operator with two-factor authentication. Returns another valid code. */
async function logInWithCode(account: BrowserUser, roles?: readonly OperatorRole[]): Promise<string> {
  if (roles) await makeOperator(account.username, roles);
  await logIn(account.context, account.username);
  const body = { currentPassword: PASSWORD };
  const { secret } = await callApi<{ secret: string }>(account.context, 'POST', '/auth/two-factor/setup', body);
  const code = generateSync({ secret });
  const enableInput = { code };
  const result = await callApi<{ recoveryCodes: string[] }>(
    account.context,
    'POST',
    '/auth/two-factor/enable',
    enableInput,
  );
  return result.recoveryCodes[0] ?? '';
}

test('an owner confirms their identity and invites a moderator, who sees their pages and documents until removed', async ({
  createUser,
}) => {
  const [owner, colleague] = [await createUser('customer'), await createUser('customer', { isPhone: true })];
  const code = await logInWithCode(owner, ['owner']);
  await ageLogin(owner.username);
  const { page } = owner;
  await page.goto('/admin/staff');
  await waitForHydration(page);
  const form = page.getByRole('form', { name: 'Invite staff' });
  await form.getByLabel('Username').fill(colleague.username);
  await form.getByRole('checkbox', { name: /^Moderator/ }).check();
  await form.getByLabel('Reason').fill('Verification takes too long');
  await waitUntilStepUpRequired(page);
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
  const memberItem = staff.getByRole('listitem').filter({ hasText: colleague.username });
  await expect(memberItem).toContainText('Two-factor off');

  const colleaguePage = colleague.page;
  const colleagueCode = await logInWithCode(colleague);
  await ageLogin(colleague.username);
  await colleaguePage.goto('/admin/ledger');
  await expect(colleaguePage.getByText('Your roles don’t include this page.')).toBeVisible();
  const nav = colleaguePage.getByRole('navigation', { name: 'Console' });
  await expect(nav.getByRole('link', { name: 'Payouts' })).toHaveCount(0);
  await waitForHydration(colleaguePage);
  await nav.getByRole('link', { name: 'Verification' }).click();
  const verificationLink = colleaguePage.locator('a[href^="/admin/verifications/"]').first();
  const address = (await verificationLink.getAttribute('href')) ?? '';
  await waitUntilStepUpRequired(colleaguePage);
  await colleaguePage.goto(address);
  await expect(colleaguePage).toHaveURL(/\/admin\/step-up\?back=/);
  await waitForHydration(colleaguePage);
  await colleaguePage.getByLabel('Your password').fill(PASSWORD);
  await colleaguePage.getByLabel('Code').fill(colleagueCode);
  await colleaguePage.getByRole('button', { name: 'Continue' }).click();
  await expect(colleaguePage).toHaveURL(address);
  await expect(colleaguePage.getByRole('region', { name: 'Documents' })).toBeVisible();

  await memberItem.locator('summary').press('Enter');
  await memberItem.getByRole('checkbox', { name: /^Moderator/ }).uncheck();
  await memberItem.getByLabel('Reason').fill('Went on to something else');
  await memberItem.getByRole('button', { name: 'Remove all roles' }).click();
  await expect(memberItem).toContainText('No roles');
  await colleaguePage.goto('/admin');
  await expect(colleaguePage).toHaveURL(/^[^?]*\/login/);
});

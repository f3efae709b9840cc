import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { setUpSecondFactor } from './support/admin.ts';
import { ageLogin, makeOperator } from './support/database.ts';
import {
  type BrowserUser,
  expect,
  expectAccessible,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import { expectStatesMarked } from './support/forced-colors.ts';

/** Waits until sensitive requests are refused. Session data is cached for a few seconds after the log-in has aged. */
async function waitUntilStepUpRequired({ request }: Page): Promise<void> {
  const missing = '/api/admin/verifications/0198a1b2-0000-7000-8000-000000000000';
  await expect.poll(async () => (await request.get(missing)).status()).toBe(403);
}

/** Logs in an owner with two-factor authentication. Returns another valid code. */
async function logInOwner(account: BrowserUser): Promise<string> {
  await makeOperator(account.username, ['owner']);
  await logIn(account.context, account.username);
  return (await setUpSecondFactor(account))[0] ?? '';
}

/** Sets up two-factor authentication with the code of the invitation. Returns another valid code. */
async function acceptInvitation({ page, context, username, email }: BrowserUser): Promise<string> {
  const mail = await waitForMail(email, /invited/);
  const [invitationCode = ''] = /^[a-z0-9]{4}(?:-[a-z0-9]{4}){2}$/m.exec(mail.text) ?? [];
  await logIn(context, username);
  await page.goto('/admin/account');
  await waitForHydration(page);
  const section = page.getByRole('region', { name: 'Two-factor authentication' });
  await expect(section).toContainText('You need the code of your invitation');
  await section.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('Invitation code').fill('aaaa-bbbb-cccc');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This code is incorrect, was used or has expired.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Invitation code').fill(invitationCode);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = (await dialog.getByText('Setup key').textContent())?.split(' ').at(-1) ?? '';
  await dialog.getByLabel('Authentication code').fill(generateSync({ secret }));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const recoveryCode = (await dialog.getByRole('listitem').first().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I’ve saved my codes' }).click();
  return recoveryCode;
}

test('an owner confirms their identity and invites a moderator, who sees their pages and documents until removed', async ({
  createUser,
}) => {
  const [owner, colleague] = [await createUser('customer'), await createUser('customer', { isPhone: true })];
  const code = await logInOwner(owner);
  await ageLogin(owner.username);
  const { page } = owner;
  await page.goto('/admin/staff');
  await expectStatesMarked(page, ['.desk-nav a[aria-current]']);
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
  const colleagueCode = await acceptInvitation(colleague);
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

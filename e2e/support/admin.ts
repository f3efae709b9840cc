import type { Page } from '@playwright/test';
import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import { generateSync } from 'otplib';
import { createStaffCode, makeOperator } from './database.ts';
import { addSession, type BrowserUser, callApi, expect, PASSWORD, waitForHydration } from './fixtures.ts';

/** Returns the recovery codes. */
export async function setUpSecondFactor({ context, username }: BrowserUser): Promise<readonly string[]> {
  const body = { currentPassword: PASSWORD, invitationCode: await createStaffCode(username) };
  const { secret } = await callApi<{ secret: string }>(context, 'POST', '/auth/two-factor/setup', body);
  const enableInput = { code: generateSync({ secret }) };
  const path = '/auth/two-factor/enable';
  return (await callApi<{ recoveryCodes: string[] }>(context, 'POST', path, enableInput)).recoveryCodes;
}

/** Gives an account one operator role and two-factor authentication, and logs it in. With a path, opens that page. */
export async function logInAsOperator(account: BrowserUser, role: OperatorRole, path?: string): Promise<Page> {
  await makeOperator(account.username, [role], { hasSecondFactor: true });
  await addSession(account.context, account.id);
  if (path !== undefined) {
    await account.page.goto(path);
    await waitForHydration(account.page);
  }
  return account.page;
}

export async function openCasePage(adminPage: Page, username: string, title: string): Promise<void> {
  await adminPage.goto(`/admin/cases?q=${username}`);
  await waitForHydration(adminPage);
  await adminPage.getByRole('list', { name: 'Cases' }).getByRole('link', { name: title }).first().press('Enter');
  await expect(adminPage).toHaveURL(/\/admin\/cases\/[0-9a-f-]{36}\?view=open&q=/);
}

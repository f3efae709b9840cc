import type { Page } from '@playwright/test';
import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import { generateSync } from 'otplib';
import { makeOperator } from './database.ts';
import { addSession, callApi, expect, hydrated, PASSWORD, type Person } from './fixtures.ts';

export async function setUpSecondFactor({ context }: Person): Promise<void> {
  const begin = { currentPassword: PASSWORD };
  const { secret } = await callApi<{ secret: string }>(context, 'POST', '/auth/two-factor/begin', begin);
  await callApi(context, 'POST', '/auth/two-factor/enable', { code: generateSync({ secret }) });
}

/** Gives an account one operator role and two-factor authentication, and logs it in. With a path, opens that page. */
export async function sitDown(account: Person, role: OperatorRole, path?: string): Promise<Page> {
  await makeOperator(account.username, [role], { hasSecondFactor: true });
  await addSession(account.context, account.id);
  if (path !== undefined) {
    await account.page.goto(path);
    await hydrated(account.page);
  }
  return account.page;
}

export async function openCase(desk: Page, username: string, title: string): Promise<void> {
  await desk.goto(`/admin/cases?q=${username}`);
  await hydrated(desk);
  await desk.getByRole('list', { name: 'Cases' }).getByRole('link', { name: title }).first().press('Enter');
  await expect(desk).toHaveURL(/\/admin\/cases\/[0-9a-f-]{36}\?view=open&q=/);
}

import { expect, type Page } from '@playwright/test';
import { createUsername, PASSWORD, waitForMail } from './fixtures.ts';

/** Fills in the sign-up page that is open, opens the link of the mail, and logs in. */
export async function signUpAndLogIn(page: Page, usernamePrefix: string): Promise<void> {
  const username = createUsername(usernamePrefix);
  const email = `${username}@example.org`;
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await page.getByRole('checkbox', { name: /18 or older/ }).check();
  await page.getByRole('button', { name: 'Create account' }).click();
  const { links } = await waitForMail(email, /confirm|verify/i);
  await page.goto(links[0] ?? '');
  await expect(page.getByRole('heading', { name: 'You’re in' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

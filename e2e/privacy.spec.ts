import { readFile } from 'node:fs/promises';
import { unzip } from '../server/modules/identity/data-export/unzip.testing.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  getBaseUrl,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import { addFunds, openTip } from './support/money.ts';

test('a fan sets a spending limit, which refuses a larger tip and is raised later, and takes a break, which logs out', async ({
  createUser,
}) => {
  const creator = await createConfirmedAccount('creator');
  const { page, context } = await createUser('customer');
  await addFunds(context, 100);
  await page.goto('/fan/profile#limits');
  await waitForHydration(page);
  const limits = page.getByRole('region', { name: 'Spending limits' });
  await limits.getByRole('button', { name: 'Set weekly limit' }).click();
  const limitDialog = page.getByRole('dialog', { name: 'Weekly limit' });
  await limitDialog.getByLabel('Weekly limit').fill('0');
  await expect(limitDialog.getByText('Amount must be between $1.00 and $100,000.00')).toBeVisible();
  await expect(limitDialog.getByRole('button', { name: /^Set limit/ })).toBeDisabled();
  await limitDialog.getByLabel('Weekly limit').fill('20');
  await limitDialog.getByRole('button', { name: 'Set limit · $20.00' }).click();
  await expect(limits.getByText('$0.00 of $20.00 spent this week')).toBeVisible();
  await limits.getByRole('button', { name: 'Change weekly limit' }).click();
  await limitDialog.getByLabel('Weekly limit').fill('50');
  await limitDialog.getByRole('button', { name: 'Set limit · $50.00' }).click();
  await expect(limits.getByText(/^\$50\.00 from .+ UTC$/)).toBeVisible();

  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  const tipDialog = await openTip(page, creator.username);
  await tipDialog.getByLabel('Custom amount').fill('25');
  await expect(tipDialog.getByText('Your weekly spending limit leaves $20.00.')).toBeVisible();
  await expect(tipDialog.getByRole('link', { name: 'Spending limits' })).toBeVisible();
  await expect(tipDialog.getByRole('button', { name: 'Tip', exact: true })).toBeDisabled();

  await page.goto('/fan/profile#breaks');
  await waitForHydration(page);
  await limits.getByRole('button', { name: 'Cancel increase, weekly limit' }).click();
  await expect(limits.getByText(/^\$50\.00 from/)).toBeHidden();
  await page.getByRole('button', { name: 'Take a break from Stagedoor' }).click();
  const breakDialog = page.getByRole('dialog', { name: 'Take a break from Stagedoor' });
  await breakDialog.getByRole('radio', { name: '7 days' }).check();
  await breakDialog.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await breakDialog.getByRole('button', { name: 'Start · 7 days' }).click();
  await expect(breakDialog.getByText('Incorrect password.')).toBeVisible();
  await breakDialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await breakDialog.getByRole('button', { name: 'Start · 7 days' }).click();
  await expect(page).toHaveURL(/\/$/);
  const fan = await context.request.get('/fan', { maxRedirects: 0 });
  expect(fan.headers().location).toContain('/login');
});

test('a creator downloads a data export, and a deleted account disappears until a log-in within the grace period', async ({
  createUser,
}) => {
  const creator = await createUser('creator');
  const { page } = creator;
  await page.goto('/creator/profile/settings#yours');
  await waitForHydration(page);
  const dataRegion = page.getByRole('region', { name: 'Your data' });
  await dataRegion.getByRole('button', { name: 'Request my data' }).click();
  await expect(dataRegion.getByText(/^Ready, /)).toBeVisible({ timeout: 30_000 });
  await waitForMail(creator.email, /Your data is ready to download/);
  await dataRegion.getByRole('button', { name: 'Download' }).click();
  const exportDialog = page.getByRole('dialog', { name: 'Download your data' });
  await exportDialog.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await exportDialog.getByRole('button', { name: 'Download' }).click();
  await expect(exportDialog.getByText('Incorrect password.')).toBeVisible();
  await exportDialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const downloading = page.waitForEvent('download');
  await exportDialog.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^stagedoor-archive-.*\.zip$/);
  const files = unzip(await readFile(await download.path()));
  expect(files.get('index.html')?.toString()).toContain(creator.username);
  expect(files.get('account.html')?.toString()).toContain(creator.email);
  await expect(exportDialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const deletionDialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(deletionDialog.getByRole('list', { name: 'What happens next' }).getByRole('listitem')).toHaveCount(6);
  await deletionDialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await deletionDialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(/\/$/);
  await waitForMail(creator.email, /Your account will be deleted/);
  const getProfileStatus = async () => (await fetch(`${getBaseUrl()}/profile/${creator.username}`)).status;
  expect(await getProfileStatus()).toBe(404);
  await expect(callApi(creator.context, 'GET', '/auth/user')).rejects.toThrow('401');
  await logIn(creator.context, creator.username);
  await callApi(creator.context, 'GET', '/auth/user');
  expect(await getProfileStatus()).toBe(200);
});

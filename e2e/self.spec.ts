import { readFile } from 'node:fs/promises';
import { unzip } from '../server/features/archive/unzip.testing.ts';
import { baseUrl, callApi, expect, hydrated, logIn, mailTo, PASSWORD, signUp, test } from './support/fixtures.ts';
import { addFunds, openTip } from './support/money.ts';

test('a fan sets a spending limit, which refuses a larger tip and is raised later, and takes a break, which logs out', async ({
  person,
}) => {
  const maker = await signUp('creator');
  const { page, context } = await person('customer');
  await addFunds(context, 100);
  await page.goto('/fan/profile#limits');
  await hydrated(page);
  const limits = page.getByRole('region', { name: 'Spending limits' });
  await limits.getByRole('button', { name: 'Set weekly limit' }).click();
  const limit = page.getByRole('dialog', { name: 'Weekly limit' });
  await limit.getByLabel('Weekly limit').fill('0');
  await expect(limit.getByText('Amount must be between $1.00 and $100,000.00')).toBeVisible();
  await expect(limit.getByRole('button', { name: /^Set limit/ })).toBeDisabled();
  await limit.getByLabel('Weekly limit').fill('20');
  await limit.getByRole('button', { name: 'Set limit · $20.00' }).click();
  await expect(limits.getByText('$0.00 of $20.00 spent this week')).toBeVisible();
  await limits.getByRole('button', { name: 'Change weekly limit' }).click();
  await limit.getByLabel('Weekly limit').fill('50');
  await limit.getByRole('button', { name: 'Set limit · $50.00' }).click();
  await expect(limits.getByText(/^\$50\.00 from .+ UTC$/)).toBeVisible();

  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const tip = await openTip(page, maker.username);
  await tip.getByLabel('Custom amount').fill('25');
  await tip.getByRole('button', { name: /^Tip \$25/ }).click();
  await expect(page.getByText(/This is above your weekly spending limit of \$20\.00\./)).toBeVisible();

  await page.goto('/fan/profile#breaks');
  await hydrated(page);
  await limits.getByRole('button', { name: 'Cancel increase, weekly limit' }).click();
  await expect(limits.getByText(/^\$50\.00 from/)).toBeHidden();
  await page.getByRole('button', { name: 'Take a break from Stagedoor' }).click();
  const rest = page.getByRole('dialog', { name: 'Take a break from Stagedoor' });
  await rest.getByRole('radio', { name: '7 days' }).check();
  await rest.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await rest.getByRole('button', { name: 'Start · 7 days' }).click();
  await expect(rest.getByText('Incorrect password.')).toBeVisible();
  await rest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await rest.getByRole('button', { name: 'Start · 7 days' }).click();
  await expect(page).toHaveURL(/\/$/);
  const fan = await context.request.get('/fan', { maxRedirects: 0 });
  expect(fan.headers().location).toContain('/login');
});

test('a creator downloads a data export, and a deleted account disappears until a log-in within the grace period', async ({
  person,
}) => {
  const maker = await person('creator');
  const { page } = maker;
  await page.goto('/creator/profile/settings#yours');
  await hydrated(page);
  const yours = page.getByRole('region', { name: 'Your data' });
  await yours.getByRole('button', { name: 'Request my data' }).click();
  await expect(yours.getByText(/^Ready, /)).toBeVisible({ timeout: 30_000 });
  await mailTo(maker.email, /Your data is ready to download/);
  await yours.getByRole('button', { name: 'Download' }).click();
  const archive = page.getByRole('dialog', { name: 'Download your data' });
  await archive.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await archive.getByRole('button', { name: 'Download' }).click();
  await expect(archive.getByText('Incorrect password.')).toBeVisible();
  await archive.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const coming = page.waitForEvent('download');
  await archive.getByRole('button', { name: 'Download' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^stagedoor-archive-.*\.zip$/);
  const files = unzip(await readFile(await download.path()));
  expect(files.get('index.html')?.toString()).toContain(maker.username);
  expect(files.get('account.html')?.toString()).toContain(maker.email);
  await expect(archive).toHaveCount(0);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const closing = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(closing.getByRole('list', { name: 'What happens next' }).getByRole('listitem')).toHaveCount(6);
  await closing.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await closing.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(/\/$/);
  await mailTo(maker.email, /Your account will be deleted/);
  const statusOfProfile = async () => (await fetch(`${baseUrl()}/profile/${maker.username}`)).status;
  expect(await statusOfProfile()).toBe(404);
  await expect(callApi(maker.context, 'GET', '/auth/user')).rejects.toThrow('401');
  await logIn(maker.context, maker.username);
  await callApi(maker.context, 'GET', '/auth/user');
  expect(await statusOfProfile()).toBe(200);
});

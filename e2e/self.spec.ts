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
  await limits.getByRole('button', { name: 'Set the limit of a week' }).click();
  const limit = page.getByRole('dialog', { name: 'Your limit for a week' });
  await limit.getByLabel('At most, a week').fill('0');
  await expect(limit.getByText('Amount must be between $1.00 and $100,000.00')).toBeVisible();
  await expect(limit.getByRole('button', { name: /^Set the limit/ })).toBeDisabled();
  await limit.getByLabel('At most, a week').fill('20');
  await limit.getByRole('button', { name: 'Set the limit · $20.00' }).click();
  await expect(limits.getByText('$0.00 of $20.00 spent this week')).toBeVisible();
  await limits.getByRole('button', { name: 'Change the limit of a week' }).click();
  await limit.getByLabel('At most, a week').fill('50');
  await limit.getByRole('button', { name: 'Set the limit · $50.00' }).click();
  await expect(limits.getByText(/^\$50\.00 from .+ on$/)).toBeVisible();

  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const tip = await openTip(page, maker.username);
  await tip.getByLabel('Your own amount').fill('25');
  await tip.getByRole('button', { name: /^Tip \$25/ }).click();
  await expect(page.getByText(/This is above your weekly spending limit of \$20\.00\./)).toBeVisible();

  await page.goto('/fan/profile#breaks');
  await hydrated(page);
  await limits.getByRole('button', { name: 'Keep $20.00, a week' }).click();
  await expect(limits.getByText(/^\$50\.00 from/)).toBeHidden();
  await page.getByRole('button', { name: 'A break from the account' }).click();
  const rest = page.getByRole('dialog', { name: 'A break from the account' });
  await rest.getByRole('radio', { name: '7 days' }).check();
  await rest.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await rest.getByRole('button', { name: 'Begin · 7 days' }).click();
  await expect(rest.getByText('Wrong password.')).toBeVisible();
  await rest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await rest.getByRole('button', { name: 'Begin · 7 days' }).click();
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
  const yours = page.getByRole('region', { name: 'What is yours' });
  await yours.getByRole('button', { name: 'Make my archive' }).click();
  await expect(yours.getByText(/^Ready, /)).toBeVisible({ timeout: 30_000 });
  await mailTo(maker.email, /Your archive is ready/);
  await yours.getByRole('button', { name: 'Download it' }).click();
  const archive = page.getByRole('dialog', { name: 'Download your archive' });
  await archive.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await archive.getByRole('button', { name: 'Download' }).click();
  await expect(archive.getByText('Wrong password.')).toBeVisible();
  await archive.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const coming = page.waitForEvent('download');
  await archive.getByRole('button', { name: 'Download' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^stagedoor-archive-.*\.zip$/);
  const files = unzip(await readFile(await download.path()));
  expect(files.get('index.html')?.toString()).toContain(maker.username);
  expect(files.get('account.html')?.toString()).toContain(maker.email);
  await expect(archive).toHaveCount(0);

  await page.getByRole('button', { name: 'Close my account' }).click();
  const closing = page.getByRole('dialog', { name: 'Close your account?' });
  await expect(closing.getByRole('list', { name: 'What happens' }).getByRole('listitem')).toHaveCount(6);
  await closing.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await closing.getByRole('button', { name: 'Close my account' }).click();
  await expect(page).toHaveURL(/\/$/);
  await mailTo(maker.email, /Your account will be closed/);
  const statusOfProfile = async () => (await fetch(`${baseUrl()}/profile/${maker.username}`)).status;
  expect(await statusOfProfile()).toBe(404);
  await expect(callApi(maker.context, 'GET', '/auth/user')).rejects.toThrow('401');
  await logIn(maker.context, maker.username);
  await callApi(maker.context, 'GET', '/auth/user');
  expect(await statusOfProfile()).toBe(200);
});

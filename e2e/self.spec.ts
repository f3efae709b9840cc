import { readFile } from 'node:fs/promises';
import { unzip } from '../server/features/archive/unzip.testing.ts';
import { expect, expectAccessible, hydrated, logIn, mailTo, PASSWORD, test } from './support/fixtures.ts';
import { addFunds, openTip } from './support/money.ts';

test('a fan sets a spending limit, which refuses a larger tip, and an increase takes effect later', async ({
  person,
}) => {
  const [fan, maker] = await Promise.all([person('customer'), person('creator')]);
  await addFunds(fan.context, 100);
  const { page } = fan;
  await page.goto('/fan/profile#limits');
  await hydrated(page);
  const limits = page.getByRole('region', { name: 'Spending limits' });
  await limits.getByRole('button', { name: 'Set the limit of a week' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your limit for a week' });
  await dialog.getByLabel('At most, a week').fill('0');
  await expect(dialog.getByText('Amount must be between $1.00 and $100,000.00')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Set the limit/ })).toBeDisabled();
  await dialog.getByLabel('At most, a week').fill('20');
  await dialog.getByRole('button', { name: 'Set the limit · $20.00' }).click();
  await expect(limits.getByText('$0.00 of $20.00 spent this week')).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const tip = await openTip(page, maker.username);
  await tip.getByLabel('Your own amount').fill('25');
  await tip.getByRole('button', { name: /^Tip \$25/ }).click();
  await expect(page.getByText(/This is above your weekly spending limit of \$20\.00\./)).toBeVisible();

  await page.goto('/fan/profile#limits');
  await hydrated(page);
  await limits.getByRole('button', { name: 'Change the limit of a week' }).click();
  await dialog.getByLabel('At most, a week').fill('50');
  await dialog.getByRole('button', { name: 'Set the limit · $50.00' }).click();
  await expect(limits.getByText(/^\$50\.00 from .+ on$/)).toBeVisible();
  await limits.getByRole('button', { name: 'Keep $20.00, a week' }).click();
  await expect(limits.getByText(/^\$50\.00 from/)).toBeHidden();
});

test('a break from the account asks for the password and logs out', async ({ person }) => {
  const { page } = await person('customer');
  await page.goto('/fan/profile#breaks');
  await hydrated(page);
  await page.getByRole('button', { name: 'A break from the account' }).click();
  const dialog = page.getByRole('dialog', { name: 'A break from the account' });
  await dialog.getByRole('radio', { name: '7 days' }).check();
  await dialog.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await dialog.getByRole('button', { name: 'Begin · 7 days' }).click();
  await expect(dialog.getByText('Wrong password.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Begin · 7 days' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/fan');
  await expect(page).toHaveURL(/\/login/);
});

test('a data export is requested, downloaded with the password, and readable offline', async ({ person, open }) => {
  const fan = await person('customer');
  const { page } = fan;
  await page.goto('/fan/profile#yours');
  await hydrated(page);
  const yours = page.getByRole('region', { name: 'What is yours' });
  await yours.getByRole('button', { name: 'Make my archive' }).click();
  await expect(yours.getByText(/^Ready, /)).toBeVisible({ timeout: 30_000 });
  await mailTo(fan.email, /Your archive is ready/);
  await yours.getByRole('button', { name: 'Download it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download your archive' });
  await dialog.getByLabel('Password', { exact: true }).fill('Wrong1234!');
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect(dialog.getByText('Wrong password.')).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^stagedoor-archive-.*\.zip$/);
  const files = unzip(await readFile(await download.path()));

  const offline = await open();
  await offline.context.setOffline(true);
  const index = files.get('index.html')?.toString() ?? '';
  await offline.page.setContent(index);
  await expect(offline.page.getByRole('heading', { name: 'What is yours at Stagedoor' })).toBeVisible();
  await expect(offline.page.getByText(fan.username)).toBeVisible();
  await offline.page.setContent(files.get('account.html')?.toString() ?? '');
  await expect(offline.page.getByText(fan.email)).toBeVisible();
});

test('a deleted account disappears, and a log-in within the grace period restores it', async ({ person, open }) => {
  const maker = await person('creator');
  const { page } = maker;
  await page.goto('/creator/profile/settings#close');
  await hydrated(page);
  await page.getByRole('button', { name: 'Close my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close your account?' });
  await expect(dialog.getByRole('list', { name: 'What happens' }).getByRole('listitem')).toHaveCount(6);
  await expectAccessible(page);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Close my account' }).click();
  await expect(page).toHaveURL(/\/$/);
  await mailTo(maker.email, /Your account will be closed/);

  const { request } = (await open()).context;
  expect((await request.get(`/profile/${maker.username}`)).status()).toBe(404);
  await page.goto('/creator');
  await expect(page).toHaveURL(/\/login/);
  await logIn(maker.context, maker.username);
  await page.goto('/creator');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello');
  expect((await request.get(`/profile/${maker.username}`)).status()).toBe(200);
});

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runScheduledJob } from './support/database.ts';
import { baseUrl, callApi, expect, hydrated, PASSWORD, test } from './support/fixtures.ts';
import { addFunds, publish, tryMove } from './support/money.ts';

test('a creator sees what was earned, how it was calculated, and when it can be paid out', async ({ person }) => {
  const [maker, fan] = [await person('creator', { width: 390 }), await person('customer')];
  const { id } = maker;
  const post = await publish(maker.context, { caption: 'Moon jar', priceUsd: 10 });
  await addFunds(fan.context, 50);
  await callApi(fan.context, 'POST', `/customer/follow/${id}`, { isFollowed: true });
  const tip = { amount: 20, type: 'profile', note: 'For the kiln' };
  expect((await tryMove(fan.context, `/tip/customer-send/${id}`, tip)).status).toBe(200);
  expect((await tryMove(fan.context, `/post/unlock/${post}`, { price: 10 })).status).toBe(200);

  const { page } = maker;
  await page.goto('/creator');
  await hydrated(page);
  await page.getByRole('navigation', { name: 'Main' }).last().getByRole('link', { name: 'Earnings' }).click();
  await expect(page).toHaveURL(/\/creator\/earning$/);
  const pending = page.getByRole('table', { name: 'Pending by the day it clears' });
  await expect(pending.getByRole('row', { name: 'Pending 2 $27.00' })).toBeVisible();
  const kinds = page.getByRole('table', { name: /^Earned by kind/ });
  await expect(kinds.getByRole('row', { name: /^Tip .*\$18\.00$/ })).toBeVisible();
  await expect(kinds.getByRole('row', { name: /^Together .*\$27\.00$/ })).toBeVisible();

  await page.getByRole('group', { name: 'Kind' }).getByRole('link', { name: 'Tip' }).click();
  await expect(page).toHaveURL(/kind=tip/);
  const lines = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
  await expect(lines).toHaveCount(1);
  await lines.getByText('Tip from').click();
  await expect(lines.getByText('Platform fee, 10%')).toBeVisible();
  await expect(lines.getByText('−$2.00')).toBeVisible();
  await expect(lines.getByText(/Verified against checkpoint of|Not in the log yet/)).toBeVisible();
  await page.getByRole('group', { name: 'Days' }).getByRole('link', { name: 'Today' }).click();
  await expect(page).toHaveURL(/kind=tip&range=today/);
  await expect(lines).toHaveCount(1);

  await page.getByRole('link', { name: 'Fees and prices' }).click();
  await expect(page.getByRole('heading', { name: 'Fees and prices' })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Kind' }).getByText('Tip').click();
  await page.getByLabel('You want').fill('18');
  await expect(page.getByLabel('A fan pays')).toHaveValue('20.00');
  await page.getByLabel('A fan pays').fill('500');
  await expect(page.getByText('Between $1.00 and $200.00')).toBeVisible();

  await page.getByRole('button', { name: 'Add a payout method' }).click();
  await page.getByRole('radiogroup', { name: 'Kind of method' }).getByText('PayPal').click();
  await page.getByRole('button', { name: 'Add this method' }).click();
  await expect(page.getByText('Please enter your password')).toBeVisible();
  await page.getByLabel('E-mail at PayPal').fill('potter@example.com');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Add this method' }).click();
  const method = page.getByRole('list', { name: 'Payout methods' }).getByRole('listitem');
  await expect(method).toContainText('Can be used from');
  await expect(method).not.toContainText('potter@');
  await method.getByRole('button', { name: /^Replace / }).click();
  const replacing = page.getByRole('form', { name: /^Replace / });
  await replacing.getByLabel('E-mail at PayPal').fill('kiln@example.com');
  await replacing.getByLabel('Your password').fill(PASSWORD);
  await replacing.getByRole('button', { name: 'Replace it' }).click();
  await expect(method).toContainText('PayPal k•••@example.com');

  await page.getByRole('navigation', { name: 'Main' }).last().getByRole('link', { name: 'Earnings' }).click();
  const automatic = page.getByRole('region', { name: 'Automatic payouts' });
  await automatic.getByRole('button', { name: 'Set up' }).click();
  await automatic.getByLabel('When').selectOption('above');
  await automatic.getByLabel('More than').fill('5');
  await expect(automatic.getByText('At least $20.00')).toBeVisible();
  await automatic.getByLabel('When').selectOption('weekly');
  await automatic.getByRole('button', { name: 'Save' }).click();
  await expect(automatic).toContainText(/^Automatic payoutsEvery week, next on \w+day .*to PayPal k•••@example\.com\./);

  await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Followers' }).click();
  await expect(page.getByText('$30.00 paid')).toBeVisible();
});

test('the exported journal is verified offline by the command and matches the page', async ({ person }) => {
  const [maker, fan] = [await person('creator', { width: 390, isPhone: true }), await person('customer')];
  const { id } = maker;
  await addFunds(fan.context, 50);
  const tip = { amount: 20, type: 'profile' };
  const sold = await tryMove(fan.context, `/tip/customer-send/${id}`, tip);
  const places = async () =>
    (
      await callApi<{ data: object[] }>(
        maker.context,
        'GET',
        `/wallet/journal/places?ids=${sold.body.transactionId ?? ''}`,
      )
    ).data.length;
  // Otherwise the log is only extended once a minute.
  await runScheduledJob('transparency.sequence');
  await expect.poll(places).toBe(1);

  const { page } = maker;
  await page.goto('/creator/earning');
  await hydrated(page);
  const key = await (await maker.context.request.get(`${baseUrl()}/.well-known/stagedoor-ledger/key`)).text();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download your journal' }).tap();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('stagedoor-journal.json');
  const command = fileURLToPath(new URL('../scripts/ledger-verify.mjs', import.meta.url));
  const verify = (file: string) => promisify(execFile)(process.execPath, [command, file, '--key', key.trim()]);
  const file = await saved.path();
  const { stdout } = await verify(file);
  expect(stdout).toContain('1 of 1 transactions are in the log.');
  const { pending } = await callApi<{ pending: number }>(maker.context, 'GET', '/creator/balance');
  expect(stdout).toContain(`Together they come to +$${pending.toFixed(2)}: pending +$${pending.toFixed(2)}.`);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('\\"cents\\": -1', '\\"cents\\": -2'));
  await expect(verify(file)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('WRONG') });
});

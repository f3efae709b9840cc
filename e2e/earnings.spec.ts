import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runScheduledJob } from './support/database.ts';
import { callApi, expect, getBaseUrl, PASSWORD, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures, tryPost } from './support/money.ts';
import { downloadStatementTable, findClosingRow } from './support/statements.ts';

test('a creator sees what was earned and when it is paid out, sets up payouts, and exports a journal that is verified offline', async ({
  createApiUser,
  createUser,
}) => {
  const [creator, fan] = [await createUser('creator', { width: 390 }), await createApiUser('customer')];
  const { id, page, context } = creator;
  const post = await publishPictures(context, { caption: 'Moon jar, with a "comma"', priceUsd: 10 });
  await addFunds(fan.context, 50);
  expect((await tryPost(fan.context, `/post/unlock/${post}`, { price: 10 })).status).toBe(200);
  const tip = { amount: 20, type: 'profile', note: 'For the kiln' };
  const tipResult = await tryPost(fan.context, `/tip/customer-send/${id}`, tip);
  expect(tipResult.status).toBe(200);
  const path = `/wallet/journal/proof-status?ids=${tipResult.body.transactionId ?? ''}`;
  const countLogged = async () => (await callApi<{ data: object[] }>(context, 'GET', path)).data.length;
  // Otherwise the log is only extended once a minute.
  await runScheduledJob('transparencyLog.sequence');
  await expect.poll(countLogged).toBe(1);

  await page.goto('/creator/earning');
  await waitForHydration(page);
  const pending = page.getByRole('table', { name: 'Pending by clearing date' });
  await expect(pending.getByRole('row', { name: 'Pending 2 $27.00' })).toBeVisible();
  const kinds = page.getByRole('table', { name: /^Earnings by type/ });
  await expect(kinds.getByRole('row', { name: /^Tip .*\$18\.00$/ })).toBeVisible();
  await expect(kinds.getByRole('row', { name: /^Total .*\$27\.00$/ })).toBeVisible();

  await page.getByRole('group', { name: 'Type', exact: true }).getByRole('link', { name: 'Tip' }).click();
  await expect(page).toHaveURL(/kind=tip/);
  const lines = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
  await expect(lines).toHaveCount(1);
  await lines.getByText('Tip from').click();
  await expect(lines.getByText('Platform fee, 10%')).toBeVisible();
  await expect(lines.getByText('−$2.00')).toBeVisible();
  await expect(lines.getByText(/Verified against checkpoint of|Not recorded yet/)).toBeVisible();
  await page.getByRole('group', { name: 'Date range' }).getByRole('link', { name: 'Today' }).click();
  await expect(page).toHaveURL(/kind=tip&range=today/);
  await expect(lines).toHaveCount(1);

  const statement = await downloadStatementTable(page);
  expect(statement.filter(({ Row }) => Row === 'line').map(({ Type, Gross }) => [Type, Gross])).toEqual([
    ['Post', '10.00'],
    ['Tip', '20.00'],
  ]);
  expect(findClosingRow(statement)?.Pending).toBe('27.00');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download your journal' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('stagedoor-journal.json');
  const key = await (await context.request.get(`${getBaseUrl()}/.well-known/stagedoor-ledger/key`)).text();
  const command = fileURLToPath(new URL('../scripts/ledger-verify.mjs', import.meta.url));
  const verify = (file: string) => promisify(execFile)(process.execPath, [command, file, '--key', key.trim()]);
  const file = await download.path();
  const { stdout } = await verify(file);
  expect(stdout).toContain('2 of 2 transactions are in the log.');
  expect(stdout).toContain('Total: +$27.00 (pending +$27.00).');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('\\"cents\\": -1', '\\"cents\\": -2'));
  await expect(verify(file)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('WRONG') });

  await page.getByRole('link', { name: 'Fees and prices' }).click();
  await expect(page.getByRole('heading', { name: 'Fees and prices' })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Type', exact: true }).getByText('Tip').click();
  await page.getByLabel('You want to earn').fill('18');
  await expect(page.getByLabel('Fan pays')).toHaveValue('20.00');
  await page.getByLabel('Fan pays').fill('500');
  await expect(page.getByText('Between $1.00 and $200.00')).toBeVisible();

  await page.getByRole('button', { name: 'Add payout method' }).click();
  await page.getByRole('radiogroup', { name: 'Method type' }).getByText('PayPal').click();
  await page.getByRole('button', { name: 'Add method' }).click();
  await expect(page.getByText('Enter your password')).toBeVisible();
  await page.getByLabel('PayPal email').fill('potter@example.com');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Add method' }).click();
  const method = page.getByRole('list', { name: 'Payout methods' }).getByRole('listitem');
  await expect(method).toContainText('Available from');
  await expect(method).not.toContainText('potter@');
  await method.getByRole('button', { name: /^Replace / }).click();
  const replacing = page.getByRole('form', { name: /^Replace / });
  await replacing.getByLabel('PayPal email').fill('kiln@example.com');
  await replacing.getByLabel('Your password').fill(PASSWORD);
  await replacing.getByRole('button', { name: 'Replace' }).click();
  await expect(method).toContainText('PayPal k•••@example.com');

  await page.getByRole('navigation', { name: 'Main' }).last().getByRole('link', { name: 'Earnings' }).click();
  const automatic = page.getByRole('region', { name: 'Automatic payouts' });
  await automatic.getByRole('button', { name: 'Set up' }).click();
  await automatic.getByLabel('When').selectOption('threshold');
  await automatic.getByLabel('More than').fill('5');
  await expect(automatic.getByText('At least $20.00')).toBeVisible();
  await automatic.getByLabel('When').selectOption('weekly');
  await automatic.getByRole('button', { name: 'Save' }).click();
  await expect(automatic).toContainText(/^Automatic payoutsEvery week, next on \w+day .*to PayPal k•••@example\.com\./);
});

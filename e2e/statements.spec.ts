import type { Page } from '@playwright/test';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { parseCell } from '../server/modules/finance/statements/testing.ts';
import { callApi, createConfirmedAccount, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, fetchWalletBalance } from './support/money.ts';
import { downloadStatement, downloadStatementTable, findClosingRow } from './support/statements.ts';

async function getPdfText(page: Page): Promise<string> {
  const loading = getDocument({ data: new Uint8Array(await downloadStatement(page, 'PDF')), verbosity: 0 });
  const document = await loading.promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  await loading.destroy();
  return items.map((item) => ('str' in item ? item.str : '')).join('');
}

test('a fan downloads statements of the wallet for this month and for chosen days, once per double click, and not while offline', async ({
  createUser,
}) => {
  const [creator, { page, context, username }] = [
    await createConfirmedAccount('creator'),
    await createUser('customer'),
  ];
  await addFunds(context, 100);
  const tip = { amount: 5.55, type: 'profile', note: 'Evening, with a "comma"' };
  await callApi(context, 'POST', `/tip/customer-send/${creator.id}`, tip);

  await page.goto('/fan/wallet');
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Statement' })).toBeVisible();
  const wallet = await downloadStatementTable(page);
  expect(wallet.filter(({ Row }) => Row === 'line').map(({ Type, Net }) => [Type, Net])).toEqual([
    ['Deposit', '100.00'],
    ['Tip', '-5.55'],
  ]);
  const balance = parseCell(findClosingRow(wallet)?.Balance) / 100;
  expect(balance).toBe(await fetchWalletBalance(context));
  await expect(page.getByText(`Available ${formatUsd(balance)}`)).toBeVisible();
  const pdfText = await getPdfText(page);
  for (const text of ['Wallet statement', `@${username}`, formatUsd(balance)]) expect(pdfText).toContain(text);

  await page.getByLabel('Period').selectOption({ label: 'Custom range' });
  await page.getByLabel(/^From\b/).fill('2026-02-02');
  await page.getByLabel(/^To\b/).fill('2026-02-01');
  await expect(page.getByText('End date is before start date')).toBeVisible();
  await page.getByLabel(/^To\b/).fill('2026-02-28');
  await expect(page.getByText('End date is before start date')).toBeHidden();
  const requestedUrls: string[] = [];
  page.on('request', (request) => request.url().includes('/statement?') && requestedUrls.push(request.url()));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download statement as PDF' }).dblclick(),
  ]);
  expect(download.suggestedFilename()).toBe('stagedoor-wallet-2026-02-02-to-2026-02-28.pdf');
  expect(requestedUrls).toHaveLength(1);

  await context.setOffline(true);
  const button = page.getByRole('button', { name: 'Download statement as CSV' });
  await button.click();
  await expect(page.getByText('Can’t connect.')).toBeVisible();
  await context.setOffline(false);
  await expect(button).toBeEnabled();
  const rows = await downloadStatementTable(page);
  expect(rows.map(({ Row, Balance }) => [Row, Balance])).toEqual([
    ['opening', '0.00'],
    ['closing', '0.00'],
  ]);
});

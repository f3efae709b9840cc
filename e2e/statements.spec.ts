import type { Page } from '@playwright/test';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { centsOf } from '../server/features/statements/testing.ts';
import { callApi, expect, hydrated, signUp, test } from './support/fixtures.ts';
import { addFunds, balanceOf } from './support/money.ts';
import { closingOf, saveStatement, saveTable } from './support/statements.ts';

async function savePrint(page: Page): Promise<string> {
  const loading = getDocument({ data: new Uint8Array(await saveStatement(page, 'PDF')), verbosity: 0 });
  const document = await loading.promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  await loading.destroy();
  return items.map((item) => ('str' in item ? item.str : '')).join('');
}

test('a fan downloads statements of the wallet for this month and for chosen days, once per double click, and not while offline', async ({
  person,
}) => {
  const [maker, { page, context, username }] = [await signUp('creator'), await person('customer')];
  await addFunds(context, 100);
  const tip = { amount: 5.55, type: 'profile', note: 'Evening, with a "comma"' };
  await callApi(context, 'POST', `/tip/customer-send/${maker.id}`, tip);

  await page.goto('/fan/wallet');
  await hydrated(page);
  await expect(page.getByRole('heading', { name: 'Statement' })).toBeVisible();
  const wallet = await saveTable(page);
  expect(wallet.filter(({ Row }) => Row === 'line').map(({ Type, Net }) => [Type, Net])).toEqual([
    ['Deposit', '100.00'],
    ['Tip', '-5.55'],
  ]);
  const left = centsOf(closingOf(wallet)?.Balance) / 100;
  expect(left).toBe(await balanceOf(context));
  await expect(page.getByText(`Available ${formatUsd(left)}`)).toBeVisible();
  const printed = await savePrint(page);
  for (const words of ['Wallet statement', `@${username}`, formatUsd(left)]) expect(printed).toContain(words);

  await page.getByLabel('Period').selectOption({ label: 'Custom range' });
  await page.getByLabel(/^From\b/).fill('2026-02-02');
  await page.getByLabel(/^To\b/).fill('2026-02-01');
  await expect(page.getByText('End date is before start date')).toBeVisible();
  await page.getByLabel(/^To\b/).fill('2026-02-28');
  await expect(page.getByText('End date is before start date')).toBeHidden();
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/statement?') && asked.push(request.url()));
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download statement as PDF' }).dblclick(),
  ]);
  expect(saved.suggestedFilename()).toBe('stagedoor-wallet-2026-02-02-to-2026-02-28.pdf');
  expect(asked).toHaveLength(1);

  await context.setOffline(true);
  const button = page.getByRole('button', { name: 'Download statement as CSV' });
  await button.click();
  await expect(page.getByText('Can’t connect.')).toBeVisible();
  await context.setOffline(false);
  await expect(button).toBeEnabled();
  const rows = await saveTable(page);
  expect(rows.map(({ Row, Balance }) => [Row, Balance])).toEqual([
    ['opening', '0.00'],
    ['closing', '0.00'],
  ]);
});

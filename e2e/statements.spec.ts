import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Cells, centsOf, faultsOf, parseTable } from '../server/features/statements/testing.ts';
import { callApi, expect, hydrated, type Person, test } from './support/fixtures.ts';
import { addFunds, balanceOf, publish, tryMove } from './support/money.ts';

async function save(page: Page, format: 'PDF' | 'CSV'): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download statement as ${format}` }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(
    /^stagedoor-(?:wallet|earnings)-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.(?:csv|pdf)$/,
  );
  return readFile(await saved.path());
}

async function saveTable(page: Page): Promise<Cells[]> {
  const rows = parseTable((await save(page, 'CSV')).toString('utf8').replace(/^\uFEFF/, ''));
  expect(faultsOf(rows)).toEqual([]);
  return rows;
}

async function savePrint(page: Page): Promise<string> {
  const loading = getDocument({ data: new Uint8Array(await save(page, 'PDF')), verbosity: 0 });
  const document = await loading.promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  await loading.destroy();
  return items.map((item) => ('str' in item ? item.str : '')).join('');
}

const closingOf = (rows: readonly Cells[]) => rows.find(({ Row }) => Row === 'closing');

async function openPage({ page }: Person, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
  await expect(page.getByRole('heading', { name: 'Statement' })).toBeVisible();
}

test('a fan and a creator download statements that match their pages', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const post = await publish(maker.context, { caption: 'Evening, with a "comma"', priceUsd: 10 });
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  await addFunds(fan.context, 100);
  expect((await tryMove(fan.context, `/tip/customer-send/${id}`, { amount: 5.55, type: 'profile' })).status).toBe(200);
  expect((await tryMove(fan.context, `/post/unlock/${post}`, { price: 10 })).status).toBe(200);

  await openPage(fan, '/fan/wallet');
  const wallet = await saveTable(fan.page);
  expect(wallet.filter(({ Row }) => Row === 'line').map(({ Kind, Net }) => [Kind, Net])).toEqual([
    ['Deposit', '100.00'],
    ['Tip', '-5.55'],
    ['Post', '-10.00'],
  ]);
  const left = centsOf(closingOf(wallet)?.Balance) / 100;
  expect(left).toBe(await balanceOf(fan.context));
  await expect(fan.page.getByText(`Available ${formatUsd(left)}`)).toBeVisible();
  const printed = await savePrint(fan.page);
  for (const words of ['Statement of your wallet', `@${fan.username}`, formatUsd(left), 'Evening, with a "comma"'])
    expect(printed).toContain(words);

  await openPage(maker, '/creator/earning');
  const earned = await saveTable(maker.page);
  expect(earned.filter(({ Row }) => Row === 'line').map(({ Kind, Gross }) => [Kind, Gross])).toEqual([
    ['Tip', '5.55'],
    ['Post', '10.00'],
  ]);
  const pending = formatUsd(centsOf(closingOf(earned)?.Pending) / 100);
  await expect(maker.page.getByRole('region', { name: 'Balances' }).getByText(pending).first()).toBeVisible();
});

test('a statement of a chosen period is requested once, and not while offline', async ({ person }) => {
  const fan = await person('customer');
  const { page, context } = fan;
  await openPage(fan, '/fan/wallet');
  await page.getByLabel('Period').selectOption({ label: 'Own dates' });
  await page.getByLabel(/^From\b/).fill('2026-02-02');
  await page.getByLabel(/^To\b/).fill('2026-02-01');
  await expect(page.getByText('The period ends before it begins')).toBeVisible();
  await page.getByLabel(/^To\b/).fill('2026-02-28');
  await expect(page.getByText('The period ends before it begins')).toBeHidden();

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
  await expect(page.getByText('We could not reach Stagedoor.')).toBeVisible();
  await context.setOffline(false);
  await expect(button).toBeEnabled();
  const rows = await saveTable(page);
  expect(rows.map(({ Row, Balance }) => [Row, Balance])).toEqual([
    ['opening', '0.00'],
    ['closing', '0.00'],
  ]);
});

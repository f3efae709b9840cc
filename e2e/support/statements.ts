import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { findProblems, parseTable, type TableRow } from '../../server/modules/finance/statements/testing.ts';
import { expect } from './fixtures.ts';

/** Downloads the statement of the open page. */
export async function downloadStatement(page: Page, format: 'PDF' | 'CSV'): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download statement as ${format}` }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(
    /^stagedoor-(?:wallet|earnings)-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.(?:csv|pdf)$/,
  );
  return readFile(await download.path());
}

/** Downloads the statement as a table and checks that it adds up. */
export async function downloadStatementTable(page: Page): Promise<TableRow[]> {
  const rows = parseTable((await downloadStatement(page, 'CSV')).toString('utf8').replace(/^\uFEFF/, ''));
  expect(findProblems(rows)).toEqual([]);
  return rows;
}

export const findClosingRow = (rows: readonly TableRow[]) => rows.find(({ Row }) => Row === 'closing');

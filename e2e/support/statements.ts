import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type Cells, faultsOf, parseTable } from '../../server/features/statements/testing.ts';
import { expect } from './fixtures.ts';

/** Downloads the statement of the open page. */
export async function saveStatement(page: Page, format: 'PDF' | 'CSV'): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download statement as ${format}` }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(
    /^stagedoor-(?:wallet|earnings)-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.(?:csv|pdf)$/,
  );
  return readFile(await saved.path());
}

/** Downloads the statement as a table and checks that it adds up. */
export async function saveTable(page: Page): Promise<Cells[]> {
  const rows = parseTable((await saveStatement(page, 'CSV')).toString('utf8').replace(/^\uFEFF/, ''));
  expect(faultsOf(rows)).toEqual([]);
  return rows;
}

export const closingOf = (rows: readonly Cells[]) => rows.find(({ Row }) => Row === 'closing');

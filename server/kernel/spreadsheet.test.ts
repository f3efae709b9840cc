/** What people write runs in no spreadsheet, wherever it lets cells begin. */
import { expect, test } from 'vitest';
import { said } from './spreadsheet.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['\t=1+1', "'\t'=1+1"],
  ['Thanks;=1+1', "Thanks;'=1+1"],
  ['Thanks\n=1+1', "Thanks\n'=1+1"],
  ['Thanks\r\n =1+1', "Thanks\r\n '=1+1"],
  ['Thanks\r@sum', "Thanks\r'@sum"],
  ['Thanks\n"=1+1"', 'Thanks\n"\'=1+1"'],
  ['Thanks\n＋1', "Thanks\n'＋1"],
  ['Two lines\nof 1 + 1 = 2', 'Two lines\nof 1 + 1 = 2'],
])('%j is said as %j', (text, cell) => {
  expect(said(text)).toBe(cell);
});

import { expect, test } from 'vitest';
import { toSafeCell } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['\t=1+1', "'\t'=1+1"],
  ['Thanks;=1+1', "Thanks;'=1+1"],
  ['Thanks\n=1+1', "Thanks\n'=1+1"],
  ['Thanks\r\n =1+1', "Thanks\r\n '=1+1"],
  ['Thanks\r@sum', "Thanks\r'@sum"],
  ['Thanks\n"=1+1"', 'Thanks\n"\'=1+1"'],
  ['Thanks\n＋1', "Thanks\n'＋1"],
  ['Thanks \u202E00.5', 'Thanks 00.5'],
  ['\u2066=1+1', "'=1+1"],
  ['a\u202Ab\u202Bc\u202Cd\u202De\u2067f\u2068g\u2069h\u200Ei\u200Fj\u061Ck', 'abcdefghijk'],
  ['תודה, שלום', 'תודה, שלום'],
  ['Two lines\nof 1 + 1 = 2', 'Two lines\nof 1 + 1 = 2'],
])('%j is written as the cell %j', (text, cell) => {
  expect(toSafeCell(text)).toBe(cell);
});

import { expect, test } from 'vitest';
import { isolated, isolatedIn, isolatedParts } from './bidi.ts';

const NOAH = 'נועה בן־דוד 7';

test('only right-to-left text is isolated', () => {
  for (const words of ['Inês Valadão', 'Nguyễn 7 (Paris)', '山田', 'Ольга', '🙂', ''])
    expect(isolated(words)).toBe(words);
  for (const words of [NOAH, 'مريم', 'Café שלום', 'ދިވެހި', '𞤀𞤣𞤤𞤢𞤥']) expect(isolated(words)).toBe(`\u2068${words}\u2069`);
});

test("only the user's text is isolated within a sentence", () => {
  expect(isolatedIn(`Tip to ${NOAH}`, NOAH)).toBe(`Tip to \u2068${NOAH}\u2069`);
  expect(isolatedIn('Tip to $& and $1', '$&')).toBe('Tip to $& and $1');
  expect(isolatedIn('A deposit', undefined)).toBe('A deposit');
});

test('each part is isolated separately, and absent parts are left out', () => {
  expect(isolatedParts(['קדרית', '', undefined, 'Haifa'], ', ')).toBe('\u2068קדרית\u2069, Haifa');
});

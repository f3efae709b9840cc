import { expect, test } from 'vitest';
import { isolateText, isolateWithin, joinIsolated } from './bidi.ts';

const NOAH = 'נועה בן־דוד 7';

test('only right-to-left text is isolated', () => {
  for (const text of ['Inês Valadão', 'Nguyễn 7 (Paris)', '山田', 'Ольга', '🙂', ''])
    expect(isolateText(text)).toBe(text);
  for (const text of [NOAH, 'مريم', 'Café שלום', 'ދިވެހި', '𞤀𞤣𞤤𞤢𞤥']) expect(isolateText(text)).toBe(`\u2068${text}\u2069`);
});

test("only the user's text is isolated within a sentence", () => {
  expect(isolateWithin(`Tip to ${NOAH}`, NOAH)).toBe(`Tip to \u2068${NOAH}\u2069`);
  expect(isolateWithin('Tip to $& and $1', '$&')).toBe('Tip to $& and $1');
  expect(isolateWithin('A deposit', undefined)).toBe('A deposit');
});

test('each part is isolated separately, and absent parts are left out', () => {
  expect(joinIsolated(['קדרית', '', undefined, 'Haifa'], ', ')).toBe('\u2068קדרית\u2069, Haifa');
});

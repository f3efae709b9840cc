import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { TAG_LENGTH } from './limits.ts';
import { singleLineName, singleLineText } from './single-line-text.ts';
import { tag } from './tags.ts';

const nameSchema = singleLineName(60);
const parseText = (schema: z.ZodMiniType<string>, text: string) => z.safeParse(schema, text).data;
const getMessage = (schema: z.ZodMiniType<string>, text: unknown) =>
  z.safeParse(schema, text).error?.issues[0]?.message;
const UNDISPLAYABLE_MESSAGE = 'Remove characters that other devices can’t display.';
const MARKS_MESSAGE = 'Too many accents on one letter.';

describe('names of users', () => {
  it.each([
    ['Latin', 'Inês Åkerlund'],
    ['Vietnamese', 'Nguyễn Thị Ánh'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Sinhala with a joiner', 'ශ්‍රී'],
    ['Hindi with marks and a joiner', 'क्‍षत्रिय'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Thai', 'น้ำทิพย์'],
    ['Burmese', 'ကျွန်ုပ်'],
    ['Burmese with four marks', 'လျှို့ဝှက်'],
    ['Malayalam in the older spelling', 'മോഹന്\u200dലാല്\u200d രാജന്\u200d'],
    ['Japanese in a form of one’s own', '葛\u{e0100}城'],
    ['Mongolian with a variant', 'ᠠ\u180bᠨ'],
    ['a heart as text', 'Ana ♥\ufe0e'],
    ['Tibetan', 'བསྒྲུབས'],
    ['Japanese', '初音ミク'],
    ['a family of emoji', 'Ana 👨‍👩‍👧‍👦'],
    ['a skin tone, a flag, a keycap and a heart', 'Ana 👋🏽 🇵🇹 1️⃣ ❤️‍🔥'],
    ['the flag of Scotland', 'Iona 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['signs', "O'Neill-Smith & Co. (2)"],
  ])('accepts %s', (_, text) => {
    expect(parseText(nameSchema, text)).toBe(text.normalize('NFC'));
  });

  it('normalizes a name to NFC and its whitespace to single spaces', () => {
    expect(parseText(nameSchema, ' \ufeffIne\u0302s\u00a0\u2003 \t\n\u2028A\u030akerlund ')).toBe('Inês Åkerlund');
  });

  it('drops the zero-width non-joiner that Persian keyboards insert before a space', () => {
    expect(parseText(nameSchema, 'می\u200c خواهم\u200c')).toBe('می خواهم');
  });

  it.each([
    ['a zero width space', 'In\u200bes'],
    ['a joiner in Latin', 'In\u200des'],
    ['a non-joiner at an end', 'Ines\u200c'],
    ['a soft hyphen', 'In\u00ades'],
    ['a byte order mark', 'In\ufeffes'],
    ['overrides of the direction', '\u202eIn\u202ces'],
    ['an isolate', '\u2066Ines\u2069'],
    ['a mark of direction', 'Ines\u200f'],
    ['a control', 'In\u0000e\u001bs'],
    ['a Hangul filler', '\u3164Ines\u3164'],
    ['a blank of Braille', 'Ines\u2800'],
    ['a grapheme joiner', 'In\u034fes'],
    ['a lone tag', 'Ines\u{e0041}'],
    ['a variation of a letter', 'In\ufe0fes'],
    ['a variation of a Latin letter', 'In\u{e0100}es'],
    ['a variation of Mongolian in Latin', 'In\u180bes'],
    ['half a pair', 'Ines\ud83d'],
  ])('drops %s', (_, text) => {
    expect(parseText(nameSchema, text)).toBe('Ines');
    expect(parseText(singleLineText(60), text)).toBe('Ines');
  });

  it('requires a name if nothing visible is left', () => {
    expect(getMessage(nameSchema, '\u200b\u3164\u2800')).toBe('Please enter name');
  });

  it('composes letters that an invisible character separated', () => {
    expect(parseText(nameSchema, 'Ine\u034f\u0302s')).toBe('Inês');
  });

  it.each([
    ['a private sign', 'Ines\ue000'],
    ['what is assigned to nothing', 'Ines\u0378'],
    ['a replacement', 'In\ufffds'],
  ])('refuses %s', (_, text) => {
    expect(getMessage(nameSchema, text)).toBe(UNDISPLAYABLE_MESSAGE);
    expect(getMessage(singleLineText(60), text)).toBe(UNDISPLAYABLE_MESSAGE);
  });

  it('allows three combining marks on a letter, and refuses a fourth or one without a letter', () => {
    const marks = '\u0316\u0317\u0318\u0319';
    expect(getMessage(nameSchema, `x${marks.slice(0, 3)}`)).toBeUndefined();
    expect(getMessage(nameSchema, `x${marks}`)).toBe(MARKS_MESSAGE);
    for (const loose of ['\u0301', ' \u0301a', 'a \u0301', '-\u0301a', '😀\u0301a', '(\u20dd)a'])
      expect([loose, getMessage(nameSchema, loose)]).toEqual([loose, MARKS_MESSAGE]);
  });

  it('needs a letter or a digit and refuses check marks', () => {
    expect(getMessage(nameSchema, '🎭')).toBe('Use at least one letter or number.');
    for (const tick of ['✓', '✔', '✔️', '✅', '☑', '🗸'])
      expect([tick, getMessage(nameSchema, `Ines ${tick}`)]).toEqual([tick, 'Names can’t contain check marks.']);
    for (const empty of [undefined, null, 3, '', ' \u00a0 '])
      expect(getMessage(nameSchema, empty)).toBe('Please enter name');
  });

  it('measures the length after normalization', () => {
    expect(parseText(nameSchema, `${'e\u0302'.repeat(60)}   `)).toBe('ê'.repeat(60));
    expect(getMessage(nameSchema, 'e'.repeat(61))).toBe('At most 60 characters');
  });
});

it('other single-line texts may be empty and need no letter', () => {
  expect(parseText(singleLineText(60), '   ')).toBe('');
  expect(parseText(singleLineText(60), '✓ 🎭')).toBe('✓ 🎭');
});

it('a tag that grows in lower case is within the limit when it is saved again', () => {
  const longest = parseText(tag, 'İ'.repeat(TAG_LENGTH / 2)) ?? '';
  expect(longest).toHaveLength(TAG_LENGTH);
  expect(parseText(tag, longest)).toBe(longest);
  expect(parseText(tag, 'İ'.repeat(TAG_LENGTH / 2 + 1))).toBeUndefined();
});

it('tags follow the same rules and become lower case', () => {
  expect(parseText(tag, 'C\u0301ello-２')).toBe('ćello-２');
  expect(parseText(tag, 'می‌خواهم')).toBe('می‌خواهم');
  expect(parseText(tag, 'cel\u200clo')).toBe('cello');
  for (const text of ['\u3164', `x${'\u0316'.repeat(4)}`, 'two words'])
    expect([text, z.safeParse(tag, text).success]).toEqual([text, false]);
});

/**
 * Single-line user texts. Invisible characters, direction overrides and stacked marks are refused, because they could
 * imitate another text. Responses accept any stored text.
 */
import * as z from 'zod/mini';

const PICTOGRAM = String.raw`\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?`;
const EMOJI = new RegExp(
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}|[\d#*]\uFE0F?\u20E3|${PICTOGRAM}(?:\u200D${PICTOGRAM})*`,
  'gu',
);
/** Letters whose shape depends on U+200D or U+200C. In other scripts these are only invisible. */
const JOINED_SCRIPTS = [
  ...['Arab', 'Syrc', 'Mong', 'Nkoo', 'Adlm', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya'],
  ...['Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt'],
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const JOINER = new RegExp(String.raw`(?<=[${JOINED_SCRIPTS}]\p{M}{0,4})[\u200C\u200D](?=[${JOINED_SCRIPTS}])`, 'gu');

/** A joiner may end a word after a virama, as in older Malayalam spelling. */
const FINAL_JOINER = /(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D]/gu;
const TRAILING_NON_JOINER = /(?<=\p{Script=Arab}\p{M}{0,4})\u200C+(?=\s|$)/gu;
const VARIATION_SELECTOR = /(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mong})[\u180B-\u180F]/gu;

/** Control, format, private, unassigned, ignorable and replacement characters, and the blank Braille cell. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD]/u;
const DETACHED_MARK = /(?<![\p{L}\p{N}\p{M}])\p{M}/u;
/** Burmese and Tibetan need more stacked marks. */
const STACKED_MARKS = /(?:(?![\p{Script=Mymr}\p{Script=Tibt}])[\p{Mn}\p{Me}]){4}|[\p{Mn}\p{Me}]{7}/u;
/** Check marks, because verified names carry one. */
const CHECK_MARKS = /[\u221A\u2611\u237B\u2705\u2713\u2714\uAA9C\u{1F5F8}\u{1F5F9}\u{1F5F5}]/u;

const removeSequences = (text: string) =>
  text.replace(EMOJI, ' ').replace(JOINER, '').replace(FINAL_JOINER, '').replace(VARIATION_SELECTOR, '');

/** One line of at most `maxLength` characters, in NFC, with single spaces, without invisible characters. */
export function singleLineText(maxLength: number, missingMessage?: string, { isLowerCase = false } = {}) {
  return z.string(missingMessage).check(
    // First, because it can make a text longer: İ becomes an i with a dot above.
    z.overwrite((text) => (isLowerCase ? text.toLowerCase() : text)),
    z.normalize('NFC'),
    z.overwrite((text) => text.replace(TRAILING_NON_JOINER, '').replace(/\s+/gu, ' ').trim()),
    z.maxLength(maxLength, `At most ${maxLength} characters`),
    z.refine((text) => !INVISIBLE.test(removeSequences(text)), 'Remove invisible characters.'),
    z.refine((text) => {
      const stripped = removeSequences(text);
      return !DETACHED_MARK.test(stripped) && !STACKED_MARKS.test(stripped);
    }, 'Too many accents on one letter.'),
  );
}

/** A single-line text with a letter or a digit and without check marks. */
export function singleLineName(maxLength: number) {
  return singleLineText(maxLength, 'Please enter name').check(
    z.minLength(1, 'Please enter name'),
    z.regex(/[\p{L}\p{N}]|^$/u, 'Use at least one letter or number.'),
    z.refine((text) => !CHECK_MARKS.test(text), 'Names can’t contain check marks.'),
  );
}

/**
 * Single-line user texts. Invisible characters could imitate another text. They come with pasted text, so they are
 * dropped. Stacked marks are refused. Responses accept any stored text.
 */
import * as z from 'zod/mini';
import { cleanText, removeSequences } from './clean-text.ts';

/** Private, unassigned and replacement characters. */
const UNDISPLAYABLE = /[\p{Co}\p{Cn}\uFFFD]/u;
const DETACHED_MARK = /(?<![\p{L}\p{N}\p{M}])\p{M}/u;
/** Burmese and Tibetan need more stacked marks. */
const STACKED_MARKS = /(?:(?![\p{Script=Mymr}\p{Script=Tibt}])[\p{Mn}\p{Me}]){4}|[\p{Mn}\p{Me}]{7}/u;
/** Check marks, because verified names carry one. */
const CHECK_MARKS = /[\u221A\u2611\u237B\u2705\u2713\u2714\uAA9C\u{1F5F8}\u{1F5F9}\u{1F5F5}]/u;

/** One line of at most `maxLength` characters, cleaned by {@link cleanText}. */
export function singleLineText(maxLength: number, missingMessage?: string, { isLowerCase = false } = {}) {
  return z.string(missingMessage).check(
    // First, because it can make a text longer: İ becomes an i with a dot above.
    z.overwrite((text) => (isLowerCase ? text.toLowerCase() : text)),
    z.overwrite((text) => cleanText(text)),
    z.maxLength(maxLength, `At most ${maxLength} characters`),
    z.refine((text) => !UNDISPLAYABLE.test(text), 'Remove characters that other devices can’t display.'),
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

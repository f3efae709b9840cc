/**
 * Security: mail programs turn everything that looks like an address into a link, and names appear in our mails. Full
 * stops in real names are allowed (J.R. Smith, St.Vincent, node.js).
 */

/**
 * Endings that programs link without a path: the most common ones, and those that phishing uses most. With any other,
 * an address needs a path, a port or a scheme.
 */
const ENDINGS =
  'com|net|org|info|biz|app|dev|xyz|online|site|link|shop|store|live|example|top|click|icu|vip|club|page|cloud|website';
/** Endings that are also words and particles of names. After an initial they do not count (J.de Vries). */
const SHORT_ENDINGS = 'io|co|me|tv|cc|ru|de|uk|fr|eu|us';

const PART = String.raw`[\p{L}\p{M}\p{N}-]`;
const ADDRESS = new RegExp(
  [
    '://',
    String.raw`(?<!${PART})www\.`,
    String.raw`${PART}\.\p{L}{2,}(?:/|:\d)`,
    String.raw`${PART}\.(?:${ENDINGS}|xn--${PART}+)(?!${PART})`,
    String.raw`${PART}{2}\.(?:${SHORT_ENDINGS})(?!${PART})`,
    String.raw`(?<!${PART})\d{1,3}(?:\.\d{1,3}){3}(?!${PART})`,
  ].join('|'),
  'iu',
);

/** Characters of other scripts are normalized, as browsers do (UTS 46). */
export function containsUrl(text: string): boolean {
  return ADDRESS.test(text.normalize('NFKC').replaceAll('\u3002', '.'));
}

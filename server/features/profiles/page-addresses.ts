/**
 * Whether a line holds the address of a page. Mail programs make a link of whatever reads as one, and a name goes into our mails: so nobody
 * is called `Log in: evil.example/login`. People's own full stops stay (J.R. Smith, Dr.Anna, St.Vincent, node.js).
 */

/**
 * Endings that programs link without a path behind them: those that most addresses have, and those that deceivers take most. There are over
 * a thousand; of the others an address needs a path, a port or a scheme to be one.
 */
const ENDINGS =
  'com|net|org|info|biz|app|dev|xyz|online|site|link|shop|store|live|example|top|click|icu|vip|club|page|cloud|website';
/** Of two letters, and so also words and particles of names: after an initial they are none (J.de Vries). */
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

/** Full stops and signs of other scripts read as our own, as browsers read them (UTS 46). */
export function holdsPageAddress(text: string): boolean {
  return ADDRESS.test(text.normalize('NFKC').replaceAll('\u3002', '.'));
}

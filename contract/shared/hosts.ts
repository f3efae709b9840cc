/** Host names that could be taken for another one are shown in Punycode, as browsers do (UTS 39, UTS 46). */

/** Japanese, Chinese and Korean are written in several scripts, and host names in them with Latin as well. */
const COMBINED_SCRIPTS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
/** The recommended scripts of UAX 31. Letters of others are shown in Punycode. */
const SINGLE_SCRIPTS = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil'],
  ...['Telugu', 'Thaana', 'Thai', 'Tibetan'],
].map((script) => [script]);
const toScriptPattern = (scripts: readonly string[]) =>
  `[\\p{sc=Common}\\p{sc=Inherited}${scripts.map((script) => `\\p{sc=${script}}`).join('')}]+`;
const ONE_SCRIPT = new RegExp(`^(?:${[...COMBINED_SCRIPTS, ...SINGLE_SCRIPTS].map(toScriptPattern).join('|')})$`, 'u');
const LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;
/** Labels made only of letters that look Latin, such as аррӏе in Cyrillic. The sets are those of Chromium. */
const LOOKS_LATIN = /^[\d-]*(?:[асԁеһіјӏорԛѕԝхуъьҽпгѵѡ\d-]+|[αικνρυωηοτ\d-]+|[ագզէլհյոսւօ\d-]+)$/iu;

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

function isDeceptiveHost(host: string): boolean {
  const labels = host.split('.');
  const hasAsciiDomain = isAscii(labels.at(-1) ?? '');
  return labels.some(
    (label) =>
      !isAscii(label) && (!LABEL.test(label) || !ONE_SCRIPT.test(label) || (hasAsciiDomain && LOOKS_LATIN.test(label))),
  );
}

/** Returns the host itself, or its Punycode if it mixes scripts or imitates another host. */
export function toHonestHost(host: string): string {
  if (!isDeceptiveHost(host)) return host;
  try {
    return new URL(`https://${host}`).hostname;
  } catch {
    return host;
  }
}

const HOST = /[\p{L}\p{M}\p{N}\p{Cf}-]+(?:\.[\p{L}\p{M}\p{N}\p{Cf}-]+)+/gu;

/** Replaces deceptive hosts within a text, such as the title of a link. */
export const replaceDeceptiveHosts = (text: string): string =>
  isAscii(text) ? text : text.replace(HOST, (host) => toHonestHost(host));

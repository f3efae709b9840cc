/**
 * Letters and punctuation that no decomposition of Unicode reduces to ASCII, each with its spelling there. The table is
 * a part of the one that searches of the database use (`transliterate`, `unaccent_lower`).
 */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  (
    'ßss æae ðd øo þth đd ħh ıi ĸq łl ŋn œoe ŧt ƀb ƃb ƈc ƌd ƒf ƕhv ƙk ƚl ƞn ƣoi ƥp ƫt ƭt ƴy ƶz ǝe ǥg ȡd ȥz ȴl ȵn ȶt ȷj ȼc ' +
    'ȿs ɀz ɇe ɉj ɍr ɏy ɓb ɔo ɕc ɖd ɗd əe ɛe ɟj ɠg ɡg ɣg ɦh ɨi ɩi ɫl ɬl ɭl ɱm ɲn ɳn ɼr ɽr ɾr ʂs ʈt ʉu ʊu ʋv ʐz ʑz ʝj ⱥa ⱦt ' +
    "ςσ ‐- ‒- –- —- ―- −- ‘' ’' ‛' ′' ʻ' ʼ' ‚, “\" ”\" ‟\" „,,"
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 1), entry.slice(1)]),
);
const SPELLED = new RegExp(`[${[...SPELLINGS.keys()].join('')}]`, 'g');

/**
 * Returns a text as searches compare it: in lower case, without accents, vowel points and joiners, and in ASCII as far as
 * its letters have a usual spelling there.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|[\u0640\u200c\u200d]/gu, '')
    .replace(SPELLED, (letter) => SPELLINGS.get(letter) ?? letter);

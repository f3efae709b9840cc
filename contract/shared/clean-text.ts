/**
 * Cleans names of files, users and content. It drops characters that have no effect, such as a zero-width
 * space, a soft hyphen or a direction mark, but not joiners and variation selectors where they shape a letter or an
 * emoji.
 */

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
const VARIATION_SELECTOR = /(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mong})[\u180B-\u180F]/gu;

/** Sequences that need an otherwise invisible character. */
const SEQUENCES = [EMOJI, JOINER, FINAL_JOINER, VARIATION_SELECTOR].map(({ source }) => source).join('|');
/** Control, format and ignorable characters, halves of pairs, and the object replacement character. */
const SEQUENCE_OR_INVISIBLE = new RegExp(
  String.raw`(${SEQUENCES})|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFC]`,
  'gu',
);
/** Blanks of any width, including the Braille cell without dots. A byte order mark is no blank. */
const BLANKS = /(?:(?!\uFEFF)\s|[\u0085\u2800])+/gu;

export const removeSequences = (text: string): string =>
  text.replace(EMOJI, ' ').replace(JOINER, '').replace(FINAL_JOINER, '').replace(VARIATION_SELECTOR, '');

/** Returns the text in NFC without characters that have no effect. Line breaks are dropped as well. */
export const dropInvisible = (text: string): string =>
  text
    .normalize('NFC')
    .replace(SEQUENCE_OR_INVISIBLE, (_, sequence: string | undefined) => sequence ?? '')
    .normalize('NFC');

/** Also puts the text on one line with single spaces. Cleaning it again changes nothing. */
export const cleanText = (text: string): string => dropInvisible(text.replace(BLANKS, ' ')).replace(/ +/g, ' ').trim();

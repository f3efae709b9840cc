/** Words of people within sentences of ours: what is written from right to left is kept apart, so that it reorders nothing beside it. In markup `<bdi>` does the same. */

/** Hebrew, Arabic and their kin: the blocks that Unicode gives to what is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** First strong isolate, and the end of it (UAX #9, 2.4). */
const [BEGIN, END] = ['\u2068', '\u2069'];

/** The same words; where they would reorder others, between signs that nobody sees. */
export function isolated(words: string): string {
  return RIGHT_TO_LEFT.test(words) ? BEGIN + words + END : words;
}

/** A sentence of the server's, in which `words` of a person stand. */
export function isolatedIn(sentence: string, words: string | undefined): string {
  return words ? sentence.replaceAll(words, () => isolated(words)) : sentence;
}

/** The parts that are there, each apart from the others. */
export function isolatedParts(parts: readonly (string | false | null | undefined)[], between: string): string {
  return parts.flatMap((part) => (part ? [isolated(part)] : [])).join(between);
}

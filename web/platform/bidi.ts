/**
 * Isolates right-to-left user text within sentences, so that it does not reorder the surrounding text. Markup uses
 * `<bdi>`.
 */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** First strong isolate and pop directional isolate (UAX #9, 2.4). */
const [BEGIN, END] = ['\u2068', '\u2069'];

/** Wraps right-to-left text in invisible isolate characters. Other text stays unchanged. */
export function isolateText(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? BEGIN + text + END : text;
}

export function isolateWithin(sentence: string, text: string | undefined): string {
  return text ? sentence.replaceAll(text, () => isolateText(text)) : sentence;
}

export function joinIsolated(parts: readonly (string | false | null | undefined)[], separator: string): string {
  return parts.flatMap((part) => (part ? [isolateText(part)] : [])).join(separator);
}

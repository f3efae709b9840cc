/**
 * Texts of the interface are constants in the `texts.ts` of each module. Values are written in braces:
 *
 *     export const priceNote = 'Fans unlock this for {price}.';
 *     formatText(texts.priceNote, { price: formatUsd(price) });
 */
export type TextValueName<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | TextValueName<Rest>
  : never;

/** For functions that replace the values in braces. Its group is the name. */
export const TEXT_VALUE = /\{(\w+)\}/;

const TEXT_VALUES = new RegExp(TEXT_VALUE, 'g');

export function formatText<T extends string>(
  text: T,
  values: Readonly<Record<TextValueName<T>, string | number>>,
): string;
export function formatText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(TEXT_VALUES, (_, name: string) => String(values[name]));
}

/**
 * Our own fonts for Latin script, and a plain one with nearly all of Unicode, which is loaded only when a name needs
 * it.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

const FOLDER = new URL('./fonts/', import.meta.url);
const facesSchema = z.array(z.object({ regular: z.string(), bold: z.string(), ranges: z.string() }));
type CodeRange = [from: number, to: number];
export const parseCodeRanges = (ranges: string): CodeRange[] =>
  ranges.split(' ').map((range): CodeRange => {
    const [from = 0, to = 0] = range.split('-').map(Number);
    return [from, to];
  });
/** Made by fonts/generate.mjs. The first font that contains a character draws it. */
export const FACES = z
  .parse(facesSchema, JSON.parse(readFileSync(new URL('faces.json', FOLDER), 'utf8')))
  .map((face) => ({ ...face, ranges: parseCodeRanges(face.ranges) }));
/** The plain font. It has one weight. */
export const EVERY_SCRIPT_FACE = 'unifontex';

export type FontWeight = 'regular' | 'bold';
export type TextRun = { face: string; text: string };

function hasCode(ranges: readonly CodeRange[], code: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from = 0, to = 0] = ranges[middle] ?? [];
    if (code < from) high = middle - 1;
    else if (code > to) low = middle + 1;
    else return true;
  }
  return false;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
export function splitGraphemes(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** Runs of text in right-to-left scripts. Their letters are drawn from left to right and unjoined. */
const FROM_RIGHT = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const RIGHT_TO_LEFT = new RegExp(`[${FROM_RIGHT}](?:[^\\p{L}\\p{N}]*[\\p{M}${FROM_RIGHT}])*`, 'gu');

export function toDrawableText(text: string): string {
  const visible = text.replace(/\s+/gu, ' ').replace(INVISIBLE, '').toWellFormed().normalize('NFC');
  return visible.replace(RIGHT_TO_LEFT, (match) => splitGraphemes(match).reverse().join(''));
}

/**
 * Splits a text into as few runs as possible, each in a font that contains its characters. A character without a font
 * becomes `?`.
 */
export function splitIntoRuns(drawableText: string, weight: FontWeight): TextRun[] {
  const runs: TextRun[] = [];
  for (const letter of splitGraphemes(drawableText)) {
    const codes = [...letter].map((character) => character.codePointAt(0) ?? 0);
    const font = FACES.find(({ ranges }) => codes.every((code) => hasCode(ranges, code)));
    const face = (font ?? FACES[0])?.[weight] ?? '';
    const last = runs.at(-1);
    if (last?.face === face) last.text += font ? letter : '?';
    else runs.push({ face, text: font ? letter : '?' });
  }
  return runs;
}

/** Returns the font as it is stored: TrueType, or WOFF2 for `EVERY_SCRIPT_FACE`. */
export function readFace(face: string): Buffer {
  if (face !== EVERY_SCRIPT_FACE) return readFileSync(new URL(face, FOLDER));
  return readFileSync(
    fileURLToPath(import.meta.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff2')),
  );
}

/** Returns the font as TrueType. */
export async function loadFace(face: string): Promise<Uint8Array> {
  if (face !== EVERY_SCRIPT_FACE) return readFace(face);
  const { convert } = await import('fontverter');
  return convert(readFace(face), 'truetype');
}

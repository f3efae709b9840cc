/**
 * The faces that statements are set in, and which of them has a character: ours for Latin in all its languages, and for every
 * other script one that is plain and has nearly all of Unicode, brought into memory only when somebody's name needs it.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

const FOLDER = new URL('./fonts/', import.meta.url);
const noted = z.array(z.object({ regular: z.string(), bold: z.string(), ranges: z.string() }));
/** Made by fonts/generate.mjs. The first that has a letter draws it. */
const FACES = z.parse(noted, JSON.parse(readFileSync(new URL('faces.json', FOLDER), 'utf8'))).map((face) => ({
  ...face,
  ranges: face.ranges.split(' ').map((range) => range.split('-').map(Number)),
}));

export type Weight = 'regular' | 'bold';
/** Words of one face, which is named by its file. */
export type Run = { face: string; text: string };

function has(ranges: readonly (readonly number[])[], code: number): boolean {
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
export function graphemesOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** What no face draws: it joins, or says how another is to be drawn. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** Words of scripts that run from right to left, with what stands between them. Their letters are drawn from the left, unjoined. */
const FROM_RIGHT = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const RIGHT_TO_LEFT = new RegExp(`[${FROM_RIGHT}](?:[^\\p{L}\\p{N}]*[\\p{M}${FROM_RIGHT}])*`, 'gu');

/** A text as it is drawn from left to right. */
export function asDrawn(text: string): string {
  const seen = text.replace(/\s+/gu, ' ').replace(UNSEEN, '').toWellFormed().normalize('NFC');
  return seen.replace(RIGHT_TO_LEFT, (words) => graphemesOf(words).reverse().join(''));
}

/** In as few runs as may be, each in a face that has its letters; `?` where none has. */
export function runsOf(drawn: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const letter of graphemesOf(drawn)) {
    const codes = [...letter].map((character) => character.codePointAt(0) ?? 0);
    const found = FACES.find(({ ranges }) => codes.every((code) => has(ranges, code)));
    const face = (found ?? FACES[0])?.[weight] ?? '';
    const last = runs.at(-1);
    if (last?.face === face) last.text += found ? letter : '?';
    else runs.push({ face, text: found ? letter : '?' });
  }
  return runs;
}

/** A face's file, as it is embedded. */
export async function loadFace(face: string): Promise<Uint8Array> {
  if (face !== 'unifontex') return readFileSync(new URL(face, FOLDER));
  const { convert } = await import('fontverter');
  const file = import.meta.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff2');
  return convert(readFileSync(fileURLToPath(file)), 'truetype');
}

/**
 * The faces that statements are set in, and which of them has a character: ours for Latin in all its languages, and for every
 * other script one that is plain and has nearly all of Unicode, brought into memory only when somebody's name needs it.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { convert } from 'fontverter';
import * as z from 'zod/mini';

const FOLDER = new URL('./fonts/', import.meta.url);
/** Made by web/ui/fonts/generate.mjs. */
const FACES = z.parse(
  z.array(z.object({ regular: z.string(), bold: z.string(), ranges: z.array(z.tuple([z.number(), z.number()])) })),
  JSON.parse(readFileSync(new URL('faces.json', FOLDER), 'utf8')),
);

export type Weight = 'regular' | 'bold';
/** Words of one face, which is named by its file. */
export type Run = { face: string; text: string };

function has(ranges: readonly (readonly [number, number])[], code: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle] ?? [0, 0];
    if (code < from) high = middle - 1;
    else if (code > to) low = middle + 1;
    else return true;
  }
  return false;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What no face draws: it joins, or says how another is to be drawn. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** The characters of a text as readers see them, each in a face that has it; `?` where none has. */
function* drawn(text: string, weight: Weight): Generator<Run> {
  for (const { segment } of graphemes.segment(text.replace(/\s+/gu, ' ').replace(UNSEEN, '').normalize('NFC'))) {
    const codes = [...segment].map((character) => character.codePointAt(0) ?? 0);
    const face = FACES.find(({ ranges }) => codes.every((code) => has(ranges, code)));
    yield { face: (face ?? FACES[0])?.[weight] ?? '', text: face ? segment : '?' };
  }
}

/** A text in as few runs as may be. */
export function runsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const { face, text: segment } of drawn(text, weight)) {
    const last = runs.at(-1);
    if (last?.face === face) last.text += segment;
    else runs.push({ face, text: segment });
  }
  return runs;
}

/** A face's file, as it is embedded. */
export async function loadFace(face: string): Promise<Uint8Array> {
  if (!face.startsWith('@')) return readFileSync(new URL(face, FOLDER));
  return convert(readFileSync(fileURLToPath(import.meta.resolve(face))), 'truetype');
}

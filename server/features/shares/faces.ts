/** The display faces of pictures for sharing: the house's and those of themes, and which of their files has a character. */
import { readFileSync } from 'node:fs';
import { TYPE_PAIRS, type TypePair } from '@stagedoor/contract/themes.ts';
import * as z from 'zod/mini';
import { asDrawn, graphemesOf, loadFace, type Run, runsOf, type Weight } from '../statements/index.ts';

const FOLDER = new URL('./fonts/', import.meta.url);
const noted = z.record(z.enum(TYPE_PAIRS), z.array(z.object({ file: z.string(), ranges: z.string() })));

const charactersOf = (ranges: string): Set<number> =>
  new Set(
    ranges.split(' ').flatMap((range) => {
      const [from = 0, to = 0] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
  );
/** Made by fonts/generate.mjs. The first that has a letter draws it. */
const FACES = new Map(
  Object.entries(z.parse(noted, JSON.parse(readFileSync(new URL('faces.json', FOLDER), 'utf8')))).map(
    ([pair, files]) => [pair, files.map(({ file, ranges }) => ({ file, characters: charactersOf(ranges) }))],
  ),
);

/** How words are set: in the text's face, or in the display face of a pair. */
export type Setting = { weight: Weight } | { type: TypePair };
type FaceRun = { text: string; load: () => Promise<Uint8Array>; face: string };

const plain = (runs: readonly Run[]): FaceRun[] =>
  runs.map(({ face, text }) => ({ face, text, load: () => loadFace(face) }));

/** A text in as few runs as may be; what a display face has not got is drawn by the text's, and by that of every script. */
export function facesOf(text: string, setting: Setting): FaceRun[] {
  const drawn = asDrawn(text);
  if ('weight' in setting) return plain(runsOf(drawn, setting.weight));
  const files = FACES.get(setting.type) ?? [];
  const runs: FaceRun[] = [];
  for (const letter of graphemesOf(drawn)) {
    const codes = [...letter].map((character) => character.codePointAt(0) ?? 0);
    const found = files.find(({ characters }) => codes.every((code) => characters.has(code)));
    const [run] = found
      ? [{ face: found.file, text: letter, load: async () => readFileSync(new URL(found.file, FOLDER)) }]
      : plain(runsOf(letter, 'bold'));
    const last = runs.at(-1);
    if (run && last?.face === run.face) last.text += run.text;
    else if (run) runs.push(run);
  }
  return runs;
}

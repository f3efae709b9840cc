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

/** Of Arabic and the languages written in it, whose letters join: Noto Sans Arabic, shaped by its own rules. */
const ARABIC =
  '\\u0600-\\u06ff\\u0750-\\u077f\\u08a0-\\u08ff\\ufb50-\\ufbc2\\ufbd3-\\ufd8f\\ufd92-\\ufdc7\\ufdcf-\\ufdff\\ufe70-\\ufefc';
const ARABIC_LETTER = `(?:(?=\\p{Script=Arabic})[${ARABIC}])`;
const JOINED = new RegExp(
  `(${ARABIC_LETTER}(?:${ARABIC_LETTER}|[\\p{M}\\u0640\\u200c\\u200d]| (?=${ARABIC_LETTER}))*)`,
  'u',
);
/** Words that run from right to left, with what stands between them and that more follows. */
const FROM_RIGHT = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Thaana}\\u0640';
const RIGHT_TO_LEFT = new RegExp(`([${FROM_RIGHT}](?:[^\\p{L}\\p{N}]*[\\p{M}${FROM_RIGHT}])*…?)`, 'u');

/** Scripts whose letters join or change their places, and that no face here has the rules of. */
const UNSHAPED = [
  ...[
    'Syriac',
    'Mandaic',
    'Manichaean',
    'Nko',
    'Adlam',
    'Hanifi_Rohingya',
    'Mongolian',
    'Phags_Pa',
    'Sogdian',
    'Tifinagh',
  ],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Tibetan', 'Myanmar', 'Khmer', 'Balinese', 'Javanese', 'Sundanese', 'Chakma', 'Cham', 'Meetei_Mayek', 'Tai_Tham'],
];
const UNDRAWN = new RegExp(
  `[${UNSHAPED.map((script) => `\\p{Script=${script}}`).join('')}]|(?![${ARABIC}])\\p{Script=Arabic}`,
  'u',
);

/** Whether a text is drawn as it is read. */
export const isDrawable = (text: string): boolean => !UNDRAWN.test(text.normalize('NFC'));

/** Letters that join, as they are read: their face's rules put them in the order that they are drawn in. */
function joined(text: string, setting: Setting): FaceRun {
  const weight = 'weight' in setting ? setting.weight : 'bold';
  const face = `arabic-${weight}.woff2`;
  return { face, text, load: async () => readFileSync(new URL(face, FOLDER)) };
}

/** A text in as few runs as may be, from left to right; what a display face has not got is drawn by the text's, and by that of every script. */
export function facesOf(text: string, setting: Setting): FaceRun[] {
  // Split at a group that is caught: every other part is one.
  return text
    .replace(/\s+/gu, ' ')
    .normalize('NFC')
    .split(RIGHT_TO_LEFT)
    .flatMap((words, at) => {
      if (at % 2 === 0) return [{ part: words, isJoined: false }];
      const parts = words
        .split(JOINED)
        .flatMap((part, index) =>
          index % 2 === 1
            ? [{ part, isJoined: true }]
            : part.split(RIGHT_TO_LEFT).map((each) => ({ part: each, isJoined: false })),
        );
      return parts.reverse().filter(({ part }) => part !== '');
    })
    .flatMap(({ part, isJoined }) => (isJoined ? [joined(part, setting)] : unjoined(asDrawn(part), setting)));
}

function unjoined(drawn: string, setting: Setting): FaceRun[] {
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

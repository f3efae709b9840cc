import { readFileSync } from 'node:fs';
import { TYPE_PAIRS, type TypePair } from '@stagedoor/contract/content/themes.ts';
import * as z from 'zod/mini';
import {
  type FontWeight,
  loadFace,
  splitGraphemes,
  splitIntoRuns,
  type TextRun,
  toDrawableText,
} from '../../../platform/text/font-faces.ts';

const FOLDER = new URL('./fonts/', import.meta.url);
const fontFilesSchema = z.record(z.enum(TYPE_PAIRS), z.array(z.object({ file: z.string(), ranges: z.string() })));

const parseRanges = (ranges: string): Set<number> =>
  new Set(
    ranges.split(' ').flatMap((range) => {
      const [from = 0, to = 0] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
  );
/** Made by fonts/generate.mjs. The first file that has a character draws it. */
const FONT_FILES = new Map(
  Object.entries(z.parse(fontFilesSchema, JSON.parse(readFileSync(new URL('faces.json', FOLDER), 'utf8')))).map(
    ([pair, files]) => [pair, files.map(({ file, ranges }) => ({ file, characters: parseRanges(ranges) }))],
  ),
);

export type FontChoice = { weight: FontWeight } | { type: TypePair };
type FontRun = { text: string; load: () => Promise<Uint8Array>; face: string };

const toFontRuns = (runs: readonly TextRun[]): FontRun[] =>
  runs.map(({ face, text }) => ({ face, text, load: () => loadFace(face) }));

/** Letters join in these scripts. Noto Sans Arabic has the rules. */
const ARABIC =
  '\\u0600-\\u06ff\\u0750-\\u077f\\u08a0-\\u08ff\\ufb50-\\ufbc2\\ufbd3-\\ufd8f\\ufd92-\\ufdc7\\ufdcf-\\ufdff\\ufe70-\\ufefc';
const ARABIC_LETTER = `(?:(?=\\p{Script=Arabic})[${ARABIC}])`;
const JOINED_TEXT = new RegExp(
  `(${ARABIC_LETTER}(?:${ARABIC_LETTER}|[\\p{M}\\u0640\\u200c\\u200d]| (?=${ARABIC_LETTER}))*)`,
  'u',
);
/** Right-to-left words, with the characters between them and a trailing ellipsis. */
const RTL_SCRIPTS = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Thaana}\\u0640';
const RIGHT_TO_LEFT = new RegExp(`([${RTL_SCRIPTS}](?:[^\\p{L}\\p{N}]*[\\p{M}${RTL_SCRIPTS}])*…?)`, 'u');

/** Scripts that need shaping rules which no font here has. */
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
const UNDRAWABLE = new RegExp(
  `[${UNSHAPED.map((script) => `\\p{Script=${script}}`).join('')}]|(?![${ARABIC}])\\p{Script=Arabic}`,
  'u',
);

export const isDrawable = (text: string): boolean => !UNDRAWABLE.test(text.normalize('NFC'));

/** The letters are in reading order. The rules of their font put them into drawing order. */
function toArabicRun(text: string, fontChoice: FontChoice): FontRun {
  const weight = 'weight' in fontChoice ? fontChoice.weight : 'bold';
  const face = `arabic-${weight}.woff2`;
  return { face, text, load: async () => readFileSync(new URL(face, FOLDER)) };
}

/**
 * Returns runs from left to right. Missing characters are drawn with the text font, and then with the font of their
 * script.
 */
export function splitIntoFontRuns(text: string, fontChoice: FontChoice): FontRun[] {
  // Splitting at a capturing group makes every other part a match.
  return text
    .replace(/\s+/gu, ' ')
    .normalize('NFC')
    .split(RIGHT_TO_LEFT)
    .flatMap((section, sectionIndex) => {
      if (sectionIndex % 2 === 0) return [{ part: section, isJoined: false }];
      const parts = section
        .split(JOINED_TEXT)
        .flatMap((part, index) =>
          index % 2 === 1
            ? [{ part, isJoined: true }]
            : part.split(RIGHT_TO_LEFT).map((each) => ({ part: each, isJoined: false })),
        );
      return parts.reverse().filter(({ part }) => part !== '');
    })
    .flatMap(({ part, isJoined }) =>
      isJoined ? [toArabicRun(part, fontChoice)] : splitByFont(toDrawableText(part), fontChoice),
    );
}

function splitByFont(visualText: string, fontChoice: FontChoice): FontRun[] {
  if ('weight' in fontChoice) return toFontRuns(splitIntoRuns(visualText, fontChoice.weight));
  const files = FONT_FILES.get(fontChoice.type) ?? [];
  const runs: FontRun[] = [];
  for (const grapheme of splitGraphemes(visualText)) {
    const codes = [...grapheme].map((character) => character.codePointAt(0) ?? 0);
    const fontFile = files.find(({ characters }) => codes.every((code) => characters.has(code)));
    const [run] = fontFile
      ? [{ face: fontFile.file, text: grapheme, load: async () => readFileSync(new URL(fontFile.file, FOLDER)) }]
      : toFontRuns(splitIntoRuns(grapheme, 'bold'));
    const last = runs.at(-1);
    if (run && last?.face === run.face) last.text += run.text;
    else if (run) runs.push(run);
  }
  return runs;
}

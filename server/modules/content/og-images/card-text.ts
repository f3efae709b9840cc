/** Security: texts of users are nodes of their own in the drawing and are never interpreted as markup. */
import type { TextNode } from '@takumi-rs/core';
import { EVERY_SCRIPT_FACE, splitGraphemes, splitIntoRuns } from '../../../platform/text/font-faces.ts';
import { type FontChoice, getRenderer, loadEveryScript, toFontStyle } from './card-fonts.ts';

/** What Noto Sans Arabic can shape. */
const ARABIC =
  '\\u0600-\\u06ff\\u0750-\\u077f\\u08a0-\\u08ff\\ufb50-\\ufbc2\\ufbd3-\\ufd8f\\ufd92-\\ufdc7\\ufdcf-\\ufdff\\ufe70-\\ufefc';
const ONLY_ARABIC = new RegExp(`^[${ARABIC}\\u200c\\u200d]*$`, 'u');

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

/** Security: without them, a name cannot change the order of the texts around it. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** The first letter is of a right-to-left script. */
const STARTS_FROM_RIGHT = /^[^\p{L}]*(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}]/u;

/** Loads the fonts that the text needs. A character without a font becomes `?`. */
export async function prepareText(text: string): Promise<string> {
  const visible = text.replace(/\s+/gu, ' ').replace(CONTROLS, '').toWellFormed().normalize('NFC').trim();
  const runs = splitIntoRuns(visible, 'regular');
  if (runs.some((run) => run.face === EVERY_SCRIPT_FACE && !ONLY_ARABIC.test(run.text))) await loadEveryScript();
  return runs.map((run) => run.text).join('');
}

type Direction = 'ltr' | 'rtl';

const getDirection = (text: string): Direction => (STARTS_FROM_RIGHT.test(text) ? 'rtl' : 'ltr');

export type TextStyle = {
  size: number;
  /** Of the whole text that a line is part of. The default is that of the line. */
  direction?: Direction;
} & FontChoice;

export const createTextNode = (text: string, style: TextStyle, color: string, lineHeight: number): TextNode => ({
  type: 'text',
  text,
  style: {
    ...toFontStyle(style),
    fontSize: style.size,
    lineHeight: `${lineHeight}px`,
    color,
    whiteSpace: 'nowrap',
    direction: style.direction ?? getDirection(text),
  },
});

/** The lines of one text have the direction of the whole text. */
export function createLines(lines: readonly string[], style: TextStyle, color: string, lineHeight: number): TextNode[] {
  const direction = getDirection(lines.join(' '));
  return lines.map((line) => createTextNode(line, { ...style, direction }, color, lineHeight));
}

export async function measureText(text: string, style: TextStyle): Promise<number> {
  if (text === '') return 0;
  const renderer = await getRenderer();
  return (await renderer.measure(createTextNode(text, style, '#000000', style.size))).width;
}

type LineFit = TextStyle & { width: number };

async function truncate(text: string, fit: LineFit): Promise<string> {
  if ((await measureText(text, fit)) <= fit.width) return text;
  const graphemes = splitGraphemes(text);
  const toShown = (count: number) => `${graphemes.slice(0, count).join('').trimEnd()}…`;
  let [low, high] = [0, graphemes.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((await measureText(toShown(middle), fit)) <= fit.width) low = middle;
    else high = middle - 1;
  }
  return toShown(low);
}

async function breakWord(word: string, fit: LineFit): Promise<[string, string]> {
  const graphemes = splitGraphemes(word);
  let [low, high] = [1, graphemes.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((await measureText(graphemes.slice(0, middle).join(''), fit)) <= fit.width) low = middle;
    else high = middle - 1;
  }
  return [graphemes.slice(0, low).join(''), graphemes.slice(low).join('')];
}

/** Takes prepared text. Lines are broken here, because the renderer misplaces spaces where both directions meet. */
export async function breakLines(text: string, fit: LineFit, maxLines: number): Promise<string[]> {
  const tokens = text.split(/\s+/u).filter((word) => word !== '');
  const lines: string[] = [];
  while (tokens.length > 0) {
    if (lines.length === maxLines - 1) {
      lines.push(await truncate(tokens.join(' '), fit));
      break;
    }
    let line = tokens.shift() ?? '';
    if ((await measureText(line, fit)) > fit.width) {
      const [head, rest] = await breakWord(line, fit);
      lines.push(head);
      if (rest !== '') tokens.unshift(rest);
      continue;
    }
    for (let next = tokens[0]; next !== undefined; next = tokens[0]) {
      if ((await measureText(`${line} ${next}`, fit)) > fit.width) break;
      line = `${line} ${next}`;
      tokens.shift();
    }
    lines.push(line);
  }
  return lines;
}

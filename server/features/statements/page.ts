/** Sets text on the pages of a PDF: in faces that have it, cut into lines that fit, tagged so that readers and searches find it. */
import PDFDocument from 'pdfkit';
import { loadFace, type Run, runsOf, type Weight } from './faces.ts';

export type Document = InstanceType<typeof PDFDocument>;
export type Tone = 'text' | 'muted';
export type Look = { size: number; weight?: Weight; tone?: Tone; align?: 'left' | 'right' };
export type Box = { x: number; y: number; width: number };

export const PAPER = { width: 595.28, height: 841.89, margin: 44, foot: 34 } as const;
export const COLORS: Record<Tone | 'rule', string> = { text: '#17130f', muted: '#5d564f', rule: '#cfc8bf' };
const LEADING = 1.34;

export function newDocument(info: { title: string; author: string; madeAt: Date }): Document {
  return new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: info.title,
      Author: info.author,
      Producer: info.author,
      Creator: info.author,
      CreationDate: info.madeAt,
    },
  });
}

/** Loads the faces of all that will be said, each once. */
export async function loadFaces(doc: Document, texts: Iterable<string>): Promise<void> {
  const faces = new Set<string>();
  for (const text of texts)
    for (const weight of ['regular', 'bold'] as const) for (const { face } of runsOf(text, weight)) faces.add(face);
  for (const face of faces) doc.registerFont(face, Buffer.from(await loadFace(face)));
}

export function lineHeight({ size }: Look): number {
  return size * LEADING;
}

function widthOf(doc: Document, runs: readonly Run[], { size }: Look): number {
  return runs.reduce((sum, { face, text }) => sum + doc.font(face).fontSize(size).widthOfString(text), 0);
}

const weightOf = ({ weight = 'regular' }: Look) => weight;

/** The beginning of a word that fits, and its rest. */
function cut(doc: Document, word: string, width: number, look: Look): [string, string] {
  const letters = [...new Intl.Segmenter('en').segment(word)].map(({ segment }) => segment);
  let fits = 1;
  while (
    fits < letters.length &&
    widthOf(doc, runsOf(letters.slice(0, fits + 1).join(''), weightOf(look)), look) <= width
  )
    fits += 1;
  return [letters.slice(0, fits).join(''), letters.slice(fits).join('')];
}

/** A text in lines that fit; past `most` it ends in an ellipsis. */
export function wrap(doc: Document, text: string, width: number, look: Look, most = 3): string[] {
  const fits = (words: string) => widthOf(doc, runsOf(words, weightOf(look)), look) <= width;
  const lines: string[] = [];
  const words = text.split(' ').filter(Boolean);
  let line = '';
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) line = longer;
    else if (line !== '') {
      lines.push(line);
      line = '';
      words.unshift(word);
    } else {
      const [begin, rest] = cut(doc, word, width, look);
      lines.push(begin);
      if (rest !== '') words.unshift(rest);
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  const [last] = cut(doc, `${lines[most - 1] ?? ''}…`, width - widthOf(doc, runsOf('…', weightOf(look)), look), look);
  return [...lines.slice(0, most - 1), `${last.replace(/…$/, '')}…`];
}

/** Draws one line that fits its box. */
export function draw(doc: Document, text: string, { x, y, width }: Box, look: Look): void {
  const runs = runsOf(text, weightOf(look));
  let left = look.align === 'right' ? x + width - widthOf(doc, runs, look) : x;
  doc.fillColor(COLORS[look.tone ?? 'text']);
  for (const run of runs) {
    doc.font(run.face).fontSize(look.size).text(run.text, left, y, { lineBreak: false, baseline: 'top' });
    left += doc.widthOfString(run.text);
  }
}

/** A rule from margin to margin, which readers are not told of. */
export function rule(doc: Document, y: number): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc
    .moveTo(PAPER.margin, y)
    .lineTo(PAPER.width - PAPER.margin, y)
    .lineWidth(0.6)
    .strokeColor(COLORS.rule)
    .stroke();
  doc.endMarkedContent();
}

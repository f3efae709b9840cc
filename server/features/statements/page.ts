import PDFDocument from 'pdfkit';
import { asDrawn, graphemesOf, loadFace, type Run, runsOf, type Weight } from './faces.ts';

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

export async function loadFaces(doc: Document, texts: Iterable<string>): Promise<void> {
  const faces = new Set<string>();
  for (const text of new Set(texts))
    for (const weight of ['regular', 'bold'] as const)
      for (const { face } of runsOf(asDrawn(text), weight)) faces.add(face);
  for (const face of faces) doc.registerFont(face, Buffer.from(await loadFace(face)));
}

export function lineHeight({ size }: Look): number {
  return size * LEADING;
}

/** Widths are cached, because a statement repeats most of its text. */
type Measured = { runs: Run[]; width: number };
const measured = new Map<string, Measured>();

function measure(doc: Document, words: string, { size, weight = 'regular' }: Look): Measured {
  const key = `${size} ${weight} ${words}`;
  const known = measured.get(key);
  if (known) return known;
  const runs = runsOf(words, weight);
  const width = runs.reduce((sum, { face, text }) => sum + doc.font(face).fontSize(size).widthOfString(text), 0);
  measured.set(key, { runs, width });
  return { runs, width };
}

function cut(doc: Document, word: string, width: number, look: Look): [string, string] {
  const letters = graphemesOf(word);
  let fits = 0;
  for (let used = 0; fits < letters.length; fits += 1) {
    used += measure(doc, letters[fits] ?? '', look).width;
    if (used > width && fits > 0) break;
  }
  return [letters.slice(0, fits).join(''), letters.slice(fits).join('')];
}

/** Wraps a text to lines. After `most` lines it ends in an ellipsis. */
export function wrap(doc: Document, text: string, width: number, look: Look, most: number): string[] {
  const space = measure(doc, ' ', look).width;
  const lines: string[] = [];
  const words = asDrawn(text).split(' ').filter(Boolean);
  let [line, used] = ['', 0];
  const end = () => {
    if (line !== '') lines.push(line);
    [line, used] = ['', 0];
  };
  while (words.length > 0 && lines.length <= most) {
    const word = words.shift() ?? '';
    const wide = measure(doc, word, look).width;
    if (line !== '' && used + space + wide > width) end();
    if (wide > width) {
      const [begin, rest] = cut(doc, word, width, look);
      lines.push(begin);
      if (rest !== '') words.unshift(rest);
    } else {
      line = line === '' ? word : `${line} ${word}`;
      used += wide + (used > 0 ? space : 0);
    }
  }
  end();
  if (lines.length <= most) return lines;
  const [last] = cut(doc, lines[most - 1] ?? '', width - measure(doc, '…', look).width, look);
  return [...lines.slice(0, most - 1), `${last}…`];
}

export function draw(doc: Document, line: string, { x, y, width }: Box, look: Look): void {
  const { runs, width: used } = measure(doc, line, look);
  let left = look.align === 'right' ? x + width - used : x;
  doc.fillColor(COLORS[look.tone ?? 'text']);
  for (const { face, text } of runs) {
    doc.font(face).fontSize(look.size).text(text, left, y, { lineBreak: false, baseline: 'top' });
    if (runs.length > 1) left += doc.widthOfString(text);
  }
}

/** A rule from margin to margin, marked as an artifact so that screen readers skip it. */
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

import PDFDocument from 'pdfkit';
import {
  type FontWeight,
  loadFace,
  splitGraphemes,
  splitIntoRuns,
  type TextRun,
  toDrawableText,
} from '../../../platform/text/font-faces.ts';

export type PdfDocument = InstanceType<typeof PDFDocument>;
export type TextTone = 'text' | 'muted';
export type PdfTextStyle = { size: number; weight?: FontWeight; tone?: TextTone; align?: 'left' | 'right' };
export type Box = { x: number; y: number; width: number };

export const PAPER = { width: 595.28, height: 841.89, margin: 44, foot: 34 } as const;
export const COLORS: Record<TextTone | 'rule', string> = { text: '#17130f', muted: '#5d564f', rule: '#cfc8bf' };
const LEADING = 1.34;

export function createDocument(info: { title: string; author: string; madeAt: Date }): PdfDocument {
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

export async function loadFaces(doc: PdfDocument, texts: Iterable<string>): Promise<void> {
  const faces = new Set<string>();
  for (const text of new Set(texts))
    for (const weight of ['regular', 'bold'] as const)
      for (const { face } of splitIntoRuns(toDrawableText(text), weight)) faces.add(face);
  for (const face of faces) doc.registerFont(face, Buffer.from(await loadFace(face)));
}

export function getLineHeight({ size }: PdfTextStyle): number {
  return size * LEADING;
}

/** Widths are cached, because a statement repeats most of its text. */
type MeasuredText = { runs: TextRun[]; width: number };
const measureCache = new Map<string, MeasuredText>();

function measure(doc: PdfDocument, text: string, { size, weight = 'regular' }: PdfTextStyle): MeasuredText {
  const key = `${size} ${weight} ${text}`;
  const cached = measureCache.get(key);
  if (cached) return cached;
  const runs = splitIntoRuns(text, weight);
  const width = runs.reduce((sum, { face, text }) => sum + doc.font(face).fontSize(size).widthOfString(text), 0);
  measureCache.set(key, { runs, width });
  return { runs, width };
}

function splitWord(doc: PdfDocument, word: string, width: number, style: PdfTextStyle): [string, string] {
  const letters = splitGraphemes(word);
  let fits = 0;
  for (let used = 0; fits < letters.length; fits += 1) {
    used += measure(doc, letters[fits] ?? '', style).width;
    if (used > width && fits > 0) break;
  }
  return [letters.slice(0, fits).join(''), letters.slice(fits).join('')];
}

/** Wraps a text to lines. After `maxLines` lines it ends in an ellipsis. */
export function wrapText(
  doc: PdfDocument,
  text: string,
  width: number,
  style: PdfTextStyle,
  maxLines: number,
): string[] {
  const space = measure(doc, ' ', style).width;
  const lines: string[] = [];
  const words = toDrawableText(text).split(' ').filter(Boolean);
  let [line, used] = ['', 0];
  const finishLine = () => {
    if (line !== '') lines.push(line);
    [line, used] = ['', 0];
  };
  while (words.length > 0 && lines.length <= maxLines) {
    const word = words.shift() ?? '';
    const wordWidth = measure(doc, word, style).width;
    if (line !== '' && used + space + wordWidth > width) finishLine();
    if (wordWidth > width) {
      const [head, rest] = splitWord(doc, word, width, style);
      lines.push(head);
      if (rest !== '') words.unshift(rest);
    } else {
      line = line === '' ? word : `${line} ${word}`;
      used += wordWidth + (used > 0 ? space : 0);
    }
  }
  finishLine();
  if (lines.length <= maxLines) return lines;
  const [last] = splitWord(doc, lines[maxLines - 1] ?? '', width - measure(doc, '…', style).width, style);
  return [...lines.slice(0, maxLines - 1), `${last}…`];
}

export function drawPdfText(doc: PdfDocument, line: string, { x, y, width }: Box, style: PdfTextStyle): void {
  const { runs, width: used } = measure(doc, line, style);
  let left = style.align === 'right' ? x + width - used : x;
  doc.fillColor(COLORS[style.tone ?? 'text']);
  for (const { face, text } of runs) {
    doc.font(face).fontSize(style.size).text(text, left, y, { lineBreak: false, baseline: 'top' });
    if (runs.length > 1) left += doc.widthOfString(text);
  }
}

/** A rule from margin to margin, marked as an artifact so that screen readers skip it. */
export function drawRule(doc: PdfDocument, y: number): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc
    .moveTo(PAPER.margin, y)
    .lineTo(PAPER.width - PAPER.margin, y)
    .lineWidth(0.6)
    .strokeColor(COLORS.rule)
    .stroke();
  doc.endMarkedContent();
}

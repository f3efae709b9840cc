/** Security: user text enters the picture only as outlines, so none of it can be interpreted as markup. */
import { create, type Font, type Glyph } from 'fontkit';
import { splitGraphemes } from '../../../platform/text/font-faces.ts';
import { type FontChoice, splitIntoFontRuns } from './font-runs.ts';
import { flattenCubic, flattenQuadratic, type Outline, type Point, transformOutline } from './raster-canvas.ts';

const fonts = new Map<string, Promise<Font>>();

function loadFont({ face, load }: { face: string; load: () => Promise<Uint8Array> }): Promise<Font> {
  const font = fonts.get(face) ?? load().then((file) => create(file));
  fonts.set(face, font);
  return font;
}

export type OutlineTextStyle = { size: number } & FontChoice;
type DrawnText = { outline: Outline; width: number };

function toContours({ path }: Glyph): Point[][] {
  const contours: Point[][] = [];
  let at: Point = [0, 0];
  for (const { command, args } of path.commands) {
    const points = Array.from(
      { length: args.length / 2 },
      (_, index): Point => [args[2 * index] ?? 0, args[2 * index + 1] ?? 0],
    );
    const [a = at, b = a, c = b] = points;
    if (command === 'moveTo') contours.push([a]);
    else if (command === 'lineTo') contours.at(-1)?.push(a);
    else if (command === 'quadraticCurveTo') contours.at(-1)?.push(...flattenQuadratic(at, a, b));
    else if (command === 'bezierCurveTo') contours.at(-1)?.push(...flattenCubic(at, a, b, c));
    at = points.at(-1) ?? at;
  }
  return contours;
}

async function drawText(text: string, style: OutlineTextStyle): Promise<DrawnText> {
  const outline: Point[][] = [];
  let x = 0;
  for (const run of splitIntoFontRuns(text, style)) {
    const font = await loadFont(run);
    const scale = style.size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(run.text);
    for (const [index, glyph] of glyphs.entries()) {
      const at = positions[index];
      const [left, up] = [x + (at?.xOffset ?? 0) * scale, (at?.yOffset ?? 0) * scale];
      for (const contour of toContours(glyph))
        outline.push(contour.map(([across, high]): Point => [left + across * scale, -up - high * scale]));
      x += (at?.xAdvance ?? glyph.advanceWidth) * scale;
    }
  }
  return { outline, width: x };
}

async function measureText(text: string, style: OutlineTextStyle): Promise<number> {
  let width = 0;
  for (const run of splitIntoFontRuns(text, style)) {
    const font = await loadFont(run);
    width += (font.layout(run.text).advanceWidth * style.size) / font.unitsPerEm;
  }
  return width;
}

type LineFit = OutlineTextStyle & { width: number };

async function truncate(text: string, fit: LineFit, isLonger: boolean): Promise<string> {
  const fullText = isLonger ? `${text}…` : text;
  if ((await measureText(fullText, fit)) <= fit.width) return fullText;
  const graphemes = splitGraphemes(text);
  let [low, high] = [0, graphemes.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const shown = `${graphemes.slice(0, middle).join('').trimEnd()}…`;
    if ((await measureText(shown, fit)) <= fit.width) low = middle;
    else high = middle - 1;
  }
  return `${graphemes.slice(0, low).join('').trimEnd()}…`;
}

async function breakWord(word: string, fit: LineFit): Promise<[string, string]> {
  const graphemes = splitGraphemes(word);
  let count = graphemes.length;
  while (count > 1 && (await measureText(graphemes.slice(0, count).join(''), fit)) > fit.width) count -= 1;
  return [graphemes.slice(0, count).join(''), graphemes.slice(count).join('')];
}

export async function breakLines(text: string, fit: LineFit, maxLines: number): Promise<string[]> {
  const tokens = text.split(/\s+/u).filter((word) => word !== '');
  const lines: string[] = [];
  while (tokens.length > 0) {
    if (lines.length === maxLines - 1) {
      lines.push(await truncate(tokens.join(' '), fit, false));
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

export async function drawLines(
  lines: readonly string[],
  { x, y, height = 0, ...style }: OutlineTextStyle & { x: number; y: number; height?: number },
): Promise<Outline> {
  const drawn: Outline[] = [];
  for (const [index, line] of lines.entries())
    drawn.push(transformOutline((await drawText(line, style)).outline, x, y + index * height));
  return drawn.flat();
}

export { measureText };

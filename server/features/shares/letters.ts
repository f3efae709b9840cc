/** Security: user text enters the picture only as outlines, so none of it can be interpreted as markup. */
import { create, type Font, type Glyph } from 'fontkit';
import { graphemesOf } from '../statements/index.ts';
import { facesOf, type Setting } from './faces.ts';
import { cubic, moved, type Outline, type Point, quadratic } from './sheet.ts';

const fonts = new Map<string, Promise<Font>>();

function fontOf({ face, load }: { face: string; load: () => Promise<Uint8Array> }): Promise<Font> {
  const known = fonts.get(face) ?? load().then((file) => create(file));
  fonts.set(face, known);
  return known;
}

export type Style = { size: number } & Setting;
type Drawn = { outline: Outline; width: number };

function contoursOf({ path }: Glyph): Point[][] {
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
    else if (command === 'quadraticCurveTo') contours.at(-1)?.push(...quadratic(at, a, b));
    else if (command === 'bezierCurveTo') contours.at(-1)?.push(...cubic(at, a, b, c));
    at = points.at(-1) ?? at;
  }
  return contours;
}

async function draw(text: string, style: Style): Promise<Drawn> {
  const outline: Point[][] = [];
  let x = 0;
  for (const run of facesOf(text, style)) {
    const font = await fontOf(run);
    const scale = style.size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(run.text);
    for (const [index, glyph] of glyphs.entries()) {
      const at = positions[index];
      const [left, up] = [x + (at?.xOffset ?? 0) * scale, (at?.yOffset ?? 0) * scale];
      for (const contour of contoursOf(glyph))
        outline.push(contour.map(([across, high]): Point => [left + across * scale, -up - high * scale]));
      x += (at?.xAdvance ?? glyph.advanceWidth) * scale;
    }
  }
  return { outline, width: x };
}

async function widthOf(text: string, style: Style): Promise<number> {
  let width = 0;
  for (const run of facesOf(text, style)) {
    const font = await fontOf(run);
    width += (font.layout(run.text).advanceWidth * style.size) / font.unitsPerEm;
  }
  return width;
}

type Fit = Style & { width: number };

async function cut(text: string, fit: Fit, isLonger: boolean): Promise<string> {
  const whole = isLonger ? `${text}…` : text;
  if ((await widthOf(whole, fit)) <= fit.width) return whole;
  const letters = graphemesOf(text);
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const shown = `${letters.slice(0, middle).join('').trimEnd()}…`;
    if ((await widthOf(shown, fit)) <= fit.width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join('').trimEnd()}…`;
}

async function broken(word: string, fit: Fit): Promise<[string, string]> {
  const letters = graphemesOf(word);
  let count = letters.length;
  while (count > 1 && (await widthOf(letters.slice(0, count).join(''), fit)) > fit.width) count -= 1;
  return [letters.slice(0, count).join(''), letters.slice(count).join('')];
}

export async function linesOf(text: string, fit: Fit, most: number): Promise<string[]> {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const lines: string[] = [];
  while (words.length > 0) {
    if (lines.length === most - 1) {
      lines.push(await cut(words.join(' '), fit, false));
      break;
    }
    let line = words.shift() ?? '';
    if ((await widthOf(line, fit)) > fit.width) {
      const [begin, rest] = await broken(line, fit);
      lines.push(begin);
      if (rest !== '') words.unshift(rest);
      continue;
    }
    for (let next = words[0]; next !== undefined; next = words[0]) {
      if ((await widthOf(`${line} ${next}`, fit)) > fit.width) break;
      line = `${line} ${next}`;
      words.shift();
    }
    lines.push(line);
  }
  return lines;
}

export async function lettered(
  lines: readonly string[],
  { x, y, height = 0, ...style }: Style & { x: number; y: number; height?: number },
): Promise<Outline> {
  const drawn: Outline[] = [];
  for (const [index, line] of lines.entries())
    drawn.push(moved((await draw(line, style)).outline, x, y + index * height));
  return drawn.flat();
}

export { widthOf as measure };

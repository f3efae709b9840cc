/** Draws a share picture in the creator's theme. Price and price label use the platform's design. */
import { buffer } from 'node:stream/consumers';
import { SHARE_SIZE } from '@stagedoor/contract/shares.ts';
import type { COVERS, TypePair } from '@stagedoor/contract/themes.ts';
import sharp, { type Sharp } from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';
import type { Context } from '../../kernel/context.ts';
import type { Shown } from './facts.ts';
import { lettered, linesOf, measure, type Style } from './letters.ts';
import { arc, type Color, moved, type Outline, rectangle, rounded, Sheet } from './sheet.ts';

const { width: WIDTH, height: HEIGHT } = SHARE_SIZE;
const HALF = WIDTH / 2;
const EDGE = 56;
const WORDS = HALF - 2 * EDGE;
const FACE = 88;
const LARGE_FACE = 300;
const MARGIN = 40;
const INK: Color = [20, 22, 27];
const MUTED: Color = [91, 96, 112];
const LINE: Color = [217, 219, 225];
const PAPER: Color = [255, 255, 255];
const BARE: Color = [236, 238, 242];
const LAMP: Color = [207, 42, 4];
const WHITE = '#ffffff';
const HOUSE = { surface: PAPER, bare: BARE, text: INK, muted: MUTED, line: LINE, accent: LAMP, onAccent: PAPER };
type Tones = Record<keyof typeof HOUSE, Color>;
type Look = { tones: Tones; type: TypePair; radius: number; cover: (typeof COVERS)[number]; isBox: boolean };
const QUALITY = 82;
const TITLES = [76, 64, 54, 46] as const;
const MOST_LINES = 3;
const TITLE_TOP = 150;
const RULE = HEIGHT - EDGE - FACE - 28;
const ABOVE_RULE = 18;
const LINE_DOWN = 52;
const LINE_HEIGHT = 36;

async function read(ctx: Pick<Context, 'storage'>, key: string | null): Promise<Buffer | undefined> {
  const file = key === null ? undefined : await ctx.storage.open(key);
  return file && buffer(await file.stream());
}

function colorOf(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The rule for themes guarantees that every color pair used here is readable. */
function lookOf({ kind, dress: { look, shape } }: Shown): Look {
  const isBox = shape === 'box';
  if (!look) return { tones: HOUSE, type: 'signage', radius: 0, cover: 'picture', isBox };
  const { surface, raised, text, muted, line, accent, onAccent } = look.palette;
  return {
    tones: {
      surface: colorOf(surface),
      bare: colorOf(raised[2]),
      text: colorOf(text),
      muted: colorOf(muted),
      line: colorOf(line),
      accent: colorOf(accent),
      onAccent: colorOf(onAccent),
    },
    type: look.type,
    radius: look.radius * 2,
    // Only the cover of a profile is tinted, never a work.
    cover: kind === 'profile' ? look.cover : 'picture',
    isBox,
  };
}

type Part = { pixels: Buffer; left: number; top: number; width: number; height: number };

const pixelsOf = (image: Sharp) =>
  image.flatten({ background: WHITE }).removeAlpha().toColourspace('srgb').raw().toBuffer();

/** Returns the color of the nearest edge for positions outside the part. */
function paint({ pixels, left, top, width, height }: Part): (x: number, y: number) => Color {
  const at = (x: number, y: number, index: number) => pixels[(y * width + x) * 3 + index] ?? 0;
  return (sheetX, sheetY) => {
    const [x, y] = [Math.min(width - 1, Math.max(0, sheetX - left)), Math.min(height - 1, Math.max(0, sheetY - top))];
    return [at(x, y, 0), at(x, y, 1), at(x, y, 2)];
  };
}

type Frame = Omit<Part, 'pixels'>;

async function workOf(picture: Buffer, focus: Shown['focus'], { width, height }: Frame): Promise<Sharp> {
  const turned = sharp(picture, { failOn: 'none' });
  const known = await turned.metadata();
  const [fromWidth, fromHeight] = [known.width ?? width, known.height ?? height];
  const scale = Math.max(width / fromWidth, height / fromHeight);
  const across = Math.max(width, Math.round(fromWidth * scale));
  const down = Math.max(height, Math.round(fromHeight * scale));
  const left = Math.round(((across - width) * focus.x) / 100);
  const top = Math.round(((down - height) * focus.y) / 100);
  return turned.resize(across, down, { fit: 'fill' }).extract({ left, top, width, height });
}

function lightOf(thumbhash: string, { width, height }: Frame): Sharp {
  const { w, h, rgba } = thumbHashToRGBA(Buffer.from(thumbhash, 'base64'));
  return sharp(Buffer.from(rgba), { raw: { width: w, height: h, channels: 4 } })
    .flatten({ background: WHITE })
    .resize(width, height, { fit: 'cover', kernel: 'cubic' })
    .blur(24);
}

async function hangFace(sheet: Sheet, face: Buffer, { isBox }: Look, frame: Frame): Promise<void> {
  const { left, top, width, height } = frame;
  const pixels = await pixelsOf(sharp(face, { failOn: 'none' }).resize(width, height, { fit: 'cover' }));
  const outline = rounded(left, top, width, height, isBox ? width / 8 : width / 2);
  sheet.fill(outline, paint({ pixels, ...frame }));
}

async function hangWork(ctx: Pick<Context, 'storage'>, sheet: Sheet, shown: Shown, look: Look): Promise<void> {
  const { tones, radius, cover } = look;
  const margin = radius > 0 ? MARGIN : 0;
  // Starts at the middle, so that texts and work are as far apart as without a margin.
  const frame = { left: HALF, top: margin, width: HALF - margin, height: HEIGHT - 2 * margin };
  const { left, top, width, height } = frame;
  const outline = rounded(left, top, width, height, radius, shown.seal === '');
  const picture = cover === 'colour' ? null : await read(ctx, shown.picture);
  const work = picture
    ? await workOf(picture, shown.focus, frame)
    : shown.light && cover !== 'colour'
      ? lightOf(shown.light, frame)
      : undefined;
  if (work) {
    const coloured =
      cover === 'wash'
        ? sharp(await work.greyscale().png().toBuffer()).tint({
            r: tones.accent[0],
            g: tones.accent[1],
            b: tones.accent[2],
          })
        : work;
    return sheet.fill(outline, paint({ pixels: await pixelsOf(coloured), ...frame }));
  }
  const ground = cover === 'colour' ? tones.accent : tones.bare;
  sheet.fill(outline, ground);
  const face = await read(ctx, shown.face);
  const place = { left: left + (width - LARGE_FACE) / 2, top: top + (height - LARGE_FACE) / 2 };
  if (face) return hangFace(sheet, face, look, { ...place, width: LARGE_FACE, height: LARGE_FACE });
  const mark = cover === 'colour' ? tones.onAccent : tones.line;
  for (const part of [MARK, LAMP_OF_MARK]) sheet.fill(moved(part, left + width / 2 - 122, HEIGHT / 2 - 122, 7.6), mark);
}

const MARK: Outline = [
  [
    [4, 29],
    [4, 3],
    [22, 3],
    [22, 29],
    [19, 29],
    [19, 6],
    [8.6, 6],
    [15, 10.2],
    [15, 32],
  ],
];
const LAMP_OF_MARK: Outline = [arc(27.5, 6, 3.5)];
const LOCK: Outline = [
  [
    [4, 10],
    [20, 10],
    [20, 22],
    [4, 22],
  ],
  [[6.6, 11], ...arc(12, 8, 5.4, 0.5, 1), [17.4, 11]],
  [[15, 11], ...arc(12, 8, 3, 1, 0.5), [9, 11]],
];
const TICK: Outline = [
  [
    [-0.52, 0.02],
    [-0.36, -0.14],
    [-0.12, 0.1],
    [0.4, -0.42],
    [0.56, -0.26],
    [-0.12, 0.42],
  ],
];

async function hangSeal(sheet: Sheet, words: string, { radius }: Look): Promise<void> {
  const style = { size: 30, weight: 'bold' } as const;
  const width = Math.round((await measure(words, style)) + 82);
  const bottom = HEIGHT - (radius > 0 ? MARGIN : 0);
  sheet.fill(rectangle(HALF, bottom - 64, width, 64), PAPER);
  sheet.fill(moved(LOCK, HALF + 18, bottom - 46, 1.15), INK);
  sheet.fill(await lettered([words], { ...style, x: HALF + 58, y: bottom - 22 }), INK);
}

async function tick(sheet: Sheet, after: string, style: Style, x: number, y: number, { tones }: Look): Promise<void> {
  const radius = style.size * 0.3;
  const left = x + (await measure(after, style)) + style.size * 0.2;
  sheet.fill([arc(left + radius, y - style.size * 0.34, radius)], tones.text);
  sheet.fill(moved(TICK, left + radius, y - style.size * 0.34, radius), tones.surface);
}
/** Width relative to the font size, with the space before it. */
const TICK_WIDTH = 0.8;

type Set = { lines: string[]; size: number };
const topOf = ({ size }: Set) => TITLE_TOP + size * 0.8;
const heightOf = ({ size }: Set) => Math.round(size * 1.08);
const endOf = (set: Set) => topOf(set) + Math.max(0, set.lines.length - 1) * heightOf(set);

/** Returns the largest size that breaks no word, leaves nothing out and ends above `lowest`, or else the smallest. */
export async function titleOf(
  { title, who, isVerified }: Pick<Shown, 'title' | 'who' | 'isVerified'>,
  type: TypePair,
  lowest: number,
): Promise<Set> {
  const whole = title.split(/\s+/u).filter((word) => word !== '');
  let found: Set = { lines: [''], size: 0 };
  for (const size of TITLES) {
    const width = WORDS - (isVerified && who === '' ? size * TICK_WIDTH : 0);
    found = { lines: await linesOf(title, { size, type, width }, MOST_LINES), size };
    if (found.lines.join(' ') === whole.join(' ') && endOf(found) <= lowest) break;
  }
  return found;
}

async function writeFoot(sheet: Sheet, shown: Shown, look: Look, hasFace: boolean): Promise<void> {
  const { tones } = look;
  const plain = { size: 28, weight: 'regular' } as const;
  const bold = { size: 28, weight: 'bold' } as const;
  const middle = HEIGHT - EDGE - FACE / 2;
  const x = EDGE + (hasFace ? FACE + 22 : 0);
  const width = HALF - EDGE - x;
  const put = async (text: string, style: typeof plain | typeof bold, y: number, room = width) => {
    const [line = ''] = await linesOf(text, { ...style, width: room }, 1);
    sheet.fill(await lettered([line], { ...style, x, y }), tones.text);
    return line;
  };
  sheet.fill(rectangle(EDGE, RULE, WORDS, 2), tones.line);
  if (shown.who === '') {
    await put(shown.price, bold, middle + 10);
  } else {
    const line = await put(shown.who, bold, middle - 8, width - (shown.isVerified ? bold.size * TICK_WIDTH : 0));
    if (shown.isVerified) await tick(sheet, line, bold, x, middle - 8, look);
    await put(shown.price, plain, middle + 30);
  }
}

async function write(sheet: Sheet, shown: Shown, look: Look): Promise<void> {
  const { tones, type } = look;
  const plain = { size: 28, weight: 'regular' } as const;
  sheet.fill(moved(MARK, EDGE - 4, EDGE - 6, 1.3), tones.text);
  sheet.fill(moved(LAMP_OF_MARK, EDGE - 4, EDGE - 6, 1.3), tones.accent);
  const house = { size: 30, weight: 'bold', x: EDGE + 50, y: EDGE + 26 } as const;
  sheet.fill(await lettered(['Stagedoor'], house), tones.text);

  const below = await linesOf(shown.line, { ...plain, width: WORDS }, 2);
  const deep = below.length > 0 ? LINE_DOWN + (below.length - 1) * LINE_HEIGHT : 0;
  const title = await titleOf(shown, type, RULE - ABOVE_RULE - deep);
  const { lines, size } = title;
  const end = endOf(title);
  sheet.fill(await lettered(lines, { size, type, x: EDGE, y: topOf(title), height: heightOf(title) }), tones.text);
  if (shown.isVerified && shown.who === '') await tick(sheet, lines.at(-1) ?? '', { size, type }, EDGE, end, look);
  sheet.fill(await lettered(below, { ...plain, x: EDGE, y: end + LINE_DOWN, height: LINE_HEIGHT }), tones.muted);
}

/** Files that do not exist any more are left out. */
export async function drawShare(ctx: Pick<Context, 'storage'>, shown: Shown): Promise<Buffer> {
  const look = lookOf(shown);
  const [r, g, b] = look.tones.surface;
  const pixels = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: { r, g, b } } })
    .removeAlpha()
    .raw()
    .toBuffer();
  const sheet = new Sheet(pixels, WIDTH, HEIGHT);
  await hangWork(ctx, sheet, shown, look);
  const face = await read(ctx, shown.face);
  await write(sheet, shown, look);
  await writeFoot(sheet, shown, look, face !== undefined);
  const place = { left: EDGE, top: HEIGHT - EDGE - FACE, width: FACE, height: FACE };
  if (face) await hangFace(sheet, face, look, place);
  if (shown.seal !== '') await hangSeal(sheet, shown.seal, look);
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

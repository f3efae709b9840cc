/** Draws a picture for sharing: words on paper on the left, the work (or its light, when it is locked) on the right. */
import { buffer } from 'node:stream/consumers';
import { SHARE_SIZE } from '@stagedoor/contract/shares.ts';
import sharp from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';
import type { Context } from '../../kernel/context.ts';
import type { Shown } from './facts.ts';
import { lettered, linesOf, measure } from './letters.ts';
import { arc, type Color, moved, type Outline, rectangle, Sheet } from './sheet.ts';

const { width: WIDTH, height: HEIGHT } = SHARE_SIZE;
const HALF = WIDTH / 2;
const EDGE = 56;
const WORDS = HALF - 2 * EDGE;
const FACE = 88;
const INK: Color = [20, 22, 27];
const MUTED: Color = [91, 96, 112];
const LINE: Color = [217, 219, 225];
const PAPER: Color = [255, 255, 255];
const BARE: Color = [236, 238, 242];
const LAMP: Color = [207, 42, 4];
const WHITE = '#ffffff';
const QUALITY = 82;
/** Sizes of the title, the largest first: the first that leaves nothing out is taken. */
const TITLES = [76, 64, 54, 46] as const;
const MOST_LINES = 3;

async function read(ctx: Pick<Context, 'storage'>, key: string | null): Promise<Buffer | undefined> {
  const file = key === null ? undefined : await ctx.storage.open(key);
  return file && buffer(await file.stream());
}

/** The work, cropped to its half around its point. */
async function workOf(picture: Buffer, { x, y }: Shown['focus']): Promise<Buffer> {
  const turned = sharp(picture, { failOn: 'none' });
  const { width = HALF, height = HEIGHT } = await turned.metadata();
  const scale = Math.max(HALF / width, HEIGHT / height);
  const [across, down] = [Math.max(HALF, Math.round(width * scale)), Math.max(HEIGHT, Math.round(height * scale))];
  return turned
    .resize(across, down, { fit: 'fill' })
    .extract({
      left: Math.round(((across - HALF) * x) / 100),
      top: Math.round(((down - HEIGHT) * y) / 100),
      width: HALF,
      height: HEIGHT,
    })
    .png()
    .toBuffer();
}

/** The light of a picture by its thumbhash: some thirty colours, drawn large. */
async function lightOf(thumbhash: string): Promise<Buffer> {
  const { w, h, rgba } = thumbHashToRGBA(Buffer.from(thumbhash, 'base64'));
  return sharp(Buffer.from(rgba), { raw: { width: w, height: h, channels: 4 } })
    .flatten({ background: WHITE })
    .resize(HALF, HEIGHT, { fit: 'cover', kernel: 'cubic' })
    .blur(24)
    .png()
    .toBuffer();
}

/** The face in a circle. */
async function hangFace(sheet: Sheet, face: Buffer, left: number, top: number): Promise<void> {
  const pixels = await sharp(face, { failOn: 'none' })
    .resize(FACE, FACE, { fit: 'cover' })
    .flatten({ background: WHITE })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  const part = (x: number, y: number, index: number) => {
    const [across, down] = [Math.min(FACE - 1, Math.max(0, x - left)), Math.min(FACE - 1, Math.max(0, y - top))];
    return pixels[(down * FACE + across) * 3 + index] ?? 0;
  };
  sheet.fill([arc(left + FACE / 2, top + FACE / 2, FACE / 2)], (x, y) => [part(x, y, 0), part(x, y, 1), part(x, y, 2)]);
}

/** The product's mark and a lock, on grids of 32 and 24. */
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

/** The paper seal of a locked one, flush in the lower left corner of the work. */
async function hangSeal(sheet: Sheet, words: string): Promise<void> {
  const style = { size: 30, weight: 'bold' } as const;
  const width = Math.round((await measure(words, style)) + 82);
  sheet.fill(rectangle(HALF, HEIGHT - 64, width, 64), PAPER);
  sheet.fill(moved(LOCK, HALF + 18, HEIGHT - 46, 1.15), INK);
  sheet.fill(await lettered([words], { ...style, x: HALF + 58, y: HEIGHT - 22 }), INK);
}

async function titleOf(title: string): Promise<{ lines: string[]; size: number }> {
  let found = { lines: [''], size: 0 };
  for (const size of TITLES) {
    const lines = await linesOf(title, { size, weight: 'bold', width: WORDS }, MOST_LINES);
    found = { lines, size };
    if (!lines.at(-1)?.endsWith('…')) break;
  }
  return found;
}

async function write(sheet: Sheet, shown: Shown, hasFace: boolean): Promise<void> {
  const put = async (lines: readonly string[], style: Parameters<typeof lettered>[1], color = INK) =>
    sheet.fill(await lettered(lines, style), color);
  const plain = { size: 28, weight: 'regular' } as const;
  const bold = { size: 28, weight: 'bold' } as const;
  sheet.fill(moved(MARK, EDGE - 4, EDGE - 6, 1.3), INK);
  sheet.fill(moved(LAMP_OF_MARK, EDGE - 4, EDGE - 6, 1.3), LAMP);
  await put(['Stagedoor'], { size: 30, weight: 'bold', x: EDGE + 50, y: EDGE + 26 });

  const { lines, size } = await titleOf(shown.title);
  const height = Math.round(size * 1.08);
  const top = 150 + size * 0.8;
  await put(lines, { size, weight: 'bold', x: EDGE, y: top, height });
  const below = await linesOf(shown.line, { ...plain, width: WORDS }, 2);
  await put(below, { ...plain, x: EDGE, y: top + (lines.length - 1) * height + 52, height: 36 }, MUTED);

  const middle = HEIGHT - EDGE - FACE / 2;
  const x = EDGE + (hasFace ? FACE + 22 : 0);
  const width = HALF - EDGE - x;
  sheet.fill(rectangle(EDGE, middle - FACE / 2 - 28, WORDS, 2), LINE);
  if (shown.who === '') {
    await put(await linesOf(shown.price, { ...bold, width }, 1), { ...bold, x, y: middle + 10 });
  } else {
    await put(await linesOf(shown.who, { ...bold, width }, 1), { ...bold, x, y: middle - 8 });
    await put(await linesOf(shown.price, { ...plain, width }, 1), { ...plain, x, y: middle + 30 });
  }
}

/** The JPEG. What lies in the store and cannot be read any more is left out. */
export async function drawShare(ctx: Pick<Context, 'storage'>, shown: Shown): Promise<Buffer> {
  const [picture, face] = await Promise.all([read(ctx, shown.picture), read(ctx, shown.face)]);
  const hung = picture ? await workOf(picture, shown.focus) : shown.light ? await lightOf(shown.light) : undefined;
  const pixels = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: WHITE } })
    .composite(hung ? [{ input: hung, left: HALF, top: 0 }] : [])
    .removeAlpha()
    .raw()
    .toBuffer();
  const sheet = new Sheet(pixels, WIDTH, HEIGHT);
  if (!hung) sheet.fill(rectangle(HALF, 0, HALF, HEIGHT), BARE);
  await write(sheet, shown, face !== undefined);
  if (face) await hangFace(sheet, face, EDGE, HEIGHT - EDGE - FACE);
  if (shown.seal !== '') await hangSeal(sheet, shown.seal);
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

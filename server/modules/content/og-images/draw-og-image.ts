/** Draws a share picture in the creator's theme. Price and price label use the platform's design. */
import { buffer } from 'node:stream/consumers';
import { OG_IMAGE_SIZE } from '@stagedoor/contract/content/og-images.ts';
import type { COVERS, TypePair } from '@stagedoor/contract/content/themes.ts';
import sharp, { type Sharp } from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';
import type { Context } from '../../../platform/context.ts';
import type { OgImageDetails } from './og-image-details.ts';
import {
  createArc,
  createRectangle,
  createRoundedRectangle,
  type Outline,
  RasterCanvas,
  type RgbColor,
  transformOutline,
} from './raster-canvas.ts';
import { breakLines, drawLines, measureText, type OutlineTextStyle } from './text-outlines.ts';

const { width: WIDTH, height: HEIGHT } = OG_IMAGE_SIZE;
const HALF = WIDTH / 2;
const EDGE = 56;
const TEXT_WIDTH = HALF - 2 * EDGE;
const AVATAR_SIZE = 88;
const LARGE_AVATAR_SIZE = 300;
const MARGIN = 40;
const INK: RgbColor = [20, 22, 27];
const MUTED: RgbColor = [91, 96, 112];
const LINE: RgbColor = [217, 219, 225];
const PAPER: RgbColor = [255, 255, 255];
const PLACEHOLDER: RgbColor = [236, 238, 242];
const ACCENT: RgbColor = [207, 42, 4];
const WHITE = '#ffffff';
const PLATFORM_TONES = {
  surface: PAPER,
  placeholder: PLACEHOLDER,
  text: INK,
  muted: MUTED,
  line: LINE,
  accent: ACCENT,
  onAccent: PAPER,
};
type CardTones = Record<keyof typeof PLATFORM_TONES, RgbColor>;
type CardTheme = { tones: CardTones; type: TypePair; radius: number; cover: (typeof COVERS)[number]; isBox: boolean };
const QUALITY = 82;
const TITLES = [76, 64, 54, 46] as const;
const MAX_TITLE_LINES = 3;
const TITLE_TOP = 150;
const RULE = HEIGHT - EDGE - AVATAR_SIZE - 28;
const ABOVE_RULE = 18;
const LINE_DOWN = 52;
const LINE_HEIGHT = 36;

async function readStoredFile(ctx: Pick<Context, 'storage'>, key: string | null): Promise<Buffer | undefined> {
  const file = key === null ? undefined : await ctx.storage.open(key);
  return file && buffer(await file.stream());
}

function parseColor(hex: string): RgbColor {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The rule for themes guarantees that every color pair used here is readable. */
function toCardTheme({ kind, activeTheme: { style, shape } }: OgImageDetails): CardTheme {
  const isBox = shape === 'box';
  if (!style) return { tones: PLATFORM_TONES, type: 'signage', radius: 0, cover: 'picture', isBox };
  const { surface, raised, text, muted, line, accent, onAccent } = style.palette;
  return {
    tones: {
      surface: parseColor(surface),
      placeholder: parseColor(raised[2]),
      text: parseColor(text),
      muted: parseColor(muted),
      line: parseColor(line),
      accent: parseColor(accent),
      onAccent: parseColor(onAccent),
    },
    type: style.type,
    radius: style.radius * 2,
    // Only the cover of a profile is tinted, never a work.
    cover: kind === 'profile' ? style.cover : 'picture',
    isBox,
  };
}

type CanvasPart = { pixels: Buffer; left: number; top: number; width: number; height: number };

const toPixels = (image: Sharp) =>
  image.flatten({ background: WHITE }).removeAlpha().toColourspace('srgb').raw().toBuffer();

/** Returns the color of the nearest edge for positions outside the part. */
function createPainter({ pixels, left, top, width, height }: CanvasPart): (x: number, y: number) => RgbColor {
  const getChannel = (x: number, y: number, index: number) => pixels[(y * width + x) * 3 + index] ?? 0;
  return (canvasX, canvasY) => {
    const [x, y] = [Math.min(width - 1, Math.max(0, canvasX - left)), Math.min(height - 1, Math.max(0, canvasY - top))];
    return [getChannel(x, y, 0), getChannel(x, y, 1), getChannel(x, y, 2)];
  };
}

type CanvasFrame = Omit<CanvasPart, 'pixels'>;

async function cropWork(
  picture: Buffer,
  focus: OgImageDetails['focus'],
  { width, height }: CanvasFrame,
): Promise<Sharp> {
  const image = sharp(picture, { failOn: 'none' });
  const metadata = await image.metadata();
  const [fromWidth, fromHeight] = [metadata.width ?? width, metadata.height ?? height];
  const scale = Math.max(width / fromWidth, height / fromHeight);
  const scaledWidth = Math.max(width, Math.round(fromWidth * scale));
  const scaledHeight = Math.max(height, Math.round(fromHeight * scale));
  const left = Math.round(((scaledWidth - width) * focus.x) / 100);
  const top = Math.round(((scaledHeight - height) * focus.y) / 100);
  return image.resize(scaledWidth, scaledHeight, { fit: 'fill' }).extract({ left, top, width, height });
}

function drawThumbhash(thumbhash: string, { width, height }: CanvasFrame): Sharp {
  const { w, h, rgba } = thumbHashToRGBA(Buffer.from(thumbhash, 'base64'));
  return sharp(Buffer.from(rgba), { raw: { width: w, height: h, channels: 4 } })
    .flatten({ background: WHITE })
    .resize(width, height, { fit: 'cover', kernel: 'cubic' })
    .blur(24);
}

async function drawAvatar(
  canvas: RasterCanvas,
  avatar: Buffer,
  { isBox }: CardTheme,
  frame: CanvasFrame,
): Promise<void> {
  const { left, top, width, height } = frame;
  const pixels = await toPixels(sharp(avatar, { failOn: 'none' }).resize(width, height, { fit: 'cover' }));
  const outline = createRoundedRectangle(left, top, width, height, isBox ? width / 8 : width / 2);
  canvas.fill(outline, createPainter({ pixels, ...frame }));
}

async function drawWork(
  ctx: Pick<Context, 'storage'>,
  canvas: RasterCanvas,
  details: OgImageDetails,
  cardTheme: CardTheme,
): Promise<void> {
  const { tones, radius, cover } = cardTheme;
  const margin = radius > 0 ? MARGIN : 0;
  // Starts at the middle, so that the gap between texts and work is the same as without a margin.
  const frame = { left: HALF, top: margin, width: HALF - margin, height: HEIGHT - 2 * margin };
  const { left, top, width, height } = frame;
  const outline = createRoundedRectangle(left, top, width, height, radius, details.priceLabel === '');
  const picture = cover === 'colour' ? null : await readStoredFile(ctx, details.pictureKey);
  const work = picture
    ? await cropWork(picture, details.focus, frame)
    : details.thumbhash && cover !== 'colour'
      ? drawThumbhash(details.thumbhash, frame)
      : undefined;
  if (work) {
    const colored =
      cover === 'wash'
        ? sharp(await work.greyscale().png().toBuffer()).tint({
            r: tones.accent[0],
            g: tones.accent[1],
            b: tones.accent[2],
          })
        : work;
    return canvas.fill(outline, createPainter({ pixels: await toPixels(colored), ...frame }));
  }
  const background = cover === 'colour' ? tones.accent : tones.placeholder;
  canvas.fill(outline, background);
  const avatar = await readStoredFile(ctx, details.avatarKey);
  const avatarPosition = { left: left + (width - LARGE_AVATAR_SIZE) / 2, top: top + (height - LARGE_AVATAR_SIZE) / 2 };
  if (avatar)
    return drawAvatar(canvas, avatar, cardTheme, {
      ...avatarPosition,
      width: LARGE_AVATAR_SIZE,
      height: LARGE_AVATAR_SIZE,
    });
  const logoColor = cover === 'colour' ? tones.onAccent : tones.line;
  for (const part of [LOGO, LOGO_DOT])
    canvas.fill(transformOutline(part, left + width / 2 - 122, HEIGHT / 2 - 122, 7.6), logoColor);
}

const LOGO: Outline = [
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
const LOGO_DOT: Outline = [createArc(27.5, 6, 3.5)];
const LOCK: Outline = [
  [
    [4, 10],
    [20, 10],
    [20, 22],
    [4, 22],
  ],
  [[6.6, 11], ...createArc(12, 8, 5.4, 0.5, 1), [17.4, 11]],
  [[15, 11], ...createArc(12, 8, 3, 1, 0.5), [9, 11]],
];
const BADGE_CHECK: Outline = [
  [
    [-0.52, 0.02],
    [-0.36, -0.14],
    [-0.12, 0.1],
    [0.4, -0.42],
    [0.56, -0.26],
    [-0.12, 0.42],
  ],
];

async function drawPriceLabel(canvas: RasterCanvas, label: string, { radius }: CardTheme): Promise<void> {
  const style = { size: 30, weight: 'bold' } as const;
  const width = Math.round((await measureText(label, style)) + 82);
  const bottom = HEIGHT - (radius > 0 ? MARGIN : 0);
  canvas.fill(createRectangle(HALF, bottom - 64, width, 64), PAPER);
  canvas.fill(transformOutline(LOCK, HALF + 18, bottom - 46, 1.15), INK);
  canvas.fill(await drawLines([label], { ...style, x: HALF + 58, y: bottom - 22 }), INK);
}

async function drawVerifiedBadge(
  canvas: RasterCanvas,
  precedingText: string,
  style: OutlineTextStyle,
  x: number,
  y: number,
  { tones }: CardTheme,
): Promise<void> {
  const radius = style.size * 0.3;
  const left = x + (await measureText(precedingText, style)) + style.size * 0.2;
  canvas.fill([createArc(left + radius, y - style.size * 0.34, radius)], tones.text);
  canvas.fill(transformOutline(BADGE_CHECK, left + radius, y - style.size * 0.34, radius), tones.surface);
}
/** Width relative to the font size, with the space before it. */
const BADGE_WIDTH = 0.8;

type FittedTitle = { lines: string[]; size: number };
const getTitleTop = ({ size }: FittedTitle) => TITLE_TOP + size * 0.8;
const getLineHeight = ({ size }: FittedTitle) => Math.round(size * 1.08);
const getTitleEnd = (title: FittedTitle) =>
  getTitleTop(title) + Math.max(0, title.lines.length - 1) * getLineHeight(title);

/** Returns the largest size that breaks no word, leaves nothing out and ends above `lowest`, or else the smallest. */
export async function fitTitle(
  { title, authorName, isVerified }: Pick<OgImageDetails, 'title' | 'authorName' | 'isVerified'>,
  type: TypePair,
  lowest: number,
): Promise<FittedTitle> {
  const tokens = title.split(/\s+/u).filter((word) => word !== '');
  let fitted: FittedTitle = { lines: [''], size: 0 };
  for (const size of TITLES) {
    const width = TEXT_WIDTH - (isVerified && authorName === '' ? size * BADGE_WIDTH : 0);
    fitted = { lines: await breakLines(title, { size, type, width }, MAX_TITLE_LINES), size };
    if (fitted.lines.join(' ') === tokens.join(' ') && getTitleEnd(fitted) <= lowest) break;
  }
  return fitted;
}

async function drawFooter(
  canvas: RasterCanvas,
  details: OgImageDetails,
  cardTheme: CardTheme,
  hasAvatar: boolean,
): Promise<void> {
  const { tones } = cardTheme;
  const plain = { size: 28, weight: 'regular' } as const;
  const bold = { size: 28, weight: 'bold' } as const;
  const middle = HEIGHT - EDGE - AVATAR_SIZE / 2;
  const x = EDGE + (hasAvatar ? AVATAR_SIZE + 22 : 0);
  const width = HALF - EDGE - x;
  const drawLine = async (text: string, style: typeof plain | typeof bold, y: number, maxWidth = width) => {
    const [line = ''] = await breakLines(text, { ...style, width: maxWidth }, 1);
    canvas.fill(await drawLines([line], { ...style, x, y }), tones.text);
    return line;
  };
  canvas.fill(createRectangle(EDGE, RULE, TEXT_WIDTH, 2), tones.line);
  if (details.authorName === '') {
    await drawLine(details.price, bold, middle + 10);
  } else {
    const line = await drawLine(
      details.authorName,
      bold,
      middle - 8,
      width - (details.isVerified ? bold.size * BADGE_WIDTH : 0),
    );
    if (details.isVerified) await drawVerifiedBadge(canvas, line, bold, x, middle - 8, cardTheme);
    await drawLine(details.price, plain, middle + 30);
  }
}

async function drawTexts(canvas: RasterCanvas, details: OgImageDetails, cardTheme: CardTheme): Promise<void> {
  const { tones, type } = cardTheme;
  const plain = { size: 28, weight: 'regular' } as const;
  canvas.fill(transformOutline(LOGO, EDGE - 4, EDGE - 6, 1.3), tones.text);
  canvas.fill(transformOutline(LOGO_DOT, EDGE - 4, EDGE - 6, 1.3), tones.accent);
  const brandStyle = { size: 30, weight: 'bold', x: EDGE + 50, y: EDGE + 26 } as const;
  canvas.fill(await drawLines(['Stagedoor'], brandStyle), tones.text);

  const subtitleLines = await breakLines(details.subtitle, { ...plain, width: TEXT_WIDTH }, 2);
  const subtitleHeight = subtitleLines.length > 0 ? LINE_DOWN + (subtitleLines.length - 1) * LINE_HEIGHT : 0;
  const title = await fitTitle(details, type, RULE - ABOVE_RULE - subtitleHeight);
  const { lines, size } = title;
  const end = getTitleEnd(title);
  canvas.fill(
    await drawLines(lines, { size, type, x: EDGE, y: getTitleTop(title), height: getLineHeight(title) }),
    tones.text,
  );
  if (details.isVerified && details.authorName === '')
    await drawVerifiedBadge(canvas, lines.at(-1) ?? '', { size, type }, EDGE, end, cardTheme);
  canvas.fill(
    await drawLines(subtitleLines, { ...plain, x: EDGE, y: end + LINE_DOWN, height: LINE_HEIGHT }),
    tones.muted,
  );
}

/** Files that do not exist any more are left out. */
export async function drawOgImage(ctx: Pick<Context, 'storage'>, details: OgImageDetails): Promise<Buffer> {
  const cardTheme = toCardTheme(details);
  const [r, g, b] = cardTheme.tones.surface;
  const pixels = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: { r, g, b } } })
    .removeAlpha()
    .raw()
    .toBuffer();
  const canvas = new RasterCanvas(pixels, WIDTH, HEIGHT);
  await drawWork(ctx, canvas, details, cardTheme);
  const avatar = await readStoredFile(ctx, details.avatarKey);
  await drawTexts(canvas, details, cardTheme);
  await drawFooter(canvas, details, cardTheme, avatar !== undefined);
  const avatarPosition = { left: EDGE, top: HEIGHT - EDGE - AVATAR_SIZE, width: AVATAR_SIZE, height: AVATAR_SIZE };
  if (avatar) await drawAvatar(canvas, avatar, cardTheme, avatarPosition);
  if (details.priceLabel !== '') await drawPriceLabel(canvas, details.priceLabel, cardTheme);
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** Draws a share picture in the creator's theme. Price and price label use the platform's design. */
import { OG_IMAGE_SIZE } from '@stagedoor/contract/content/og-images.ts';
import type { COVERS, TypePair } from '@stagedoor/contract/content/themes.ts';
import type { ContainerNode, ImageNode, Node } from '@takumi-rs/core';
import sharp from 'sharp';
import type { Context } from '../../../platform/context.ts';
import { getRenderer } from './card-fonts.ts';
import {
  cropPicture,
  drawThumbhash,
  type PictureSize,
  readStoredFile,
  tintPicture,
  toImageNode,
} from './card-pictures.ts';
import { breakLines, createLines, createTextNode, prepareText } from './card-text.ts';
import type { OgImageDetails } from './og-image-details.ts';

const { width: WIDTH, height: HEIGHT } = OG_IMAGE_SIZE;
const HALF = WIDTH / 2;
const EDGE = 56;
const TEXT_WIDTH = HALF - 2 * EDGE;
const AVATAR_SIZE = 88;
const AVATAR_TOP = HEIGHT - EDGE - AVATAR_SIZE;
const LARGE_AVATAR_SIZE = 300;
const LARGE_LOGO_SIZE = 244;
const MARGIN = 40;
const INK = '#14161b';
const PAPER = '#ffffff';
const PLATFORM_TONES = {
  surface: PAPER,
  placeholder: '#eceef2',
  text: INK,
  muted: '#5b6070',
  line: '#d9dbe1',
  accent: '#cf2a04',
  onAccent: PAPER,
};
type CardTones = Record<keyof typeof PLATFORM_TONES, string>;
type CardTheme = { tones: CardTones; type: TypePair; radius: number; cover: (typeof COVERS)[number]; isBox: boolean };
const QUALITY = 82;
const TITLES = [76, 64, 54, 46] as const;
const MAX_TITLE_LINES = 3;
const TITLE_TOP = 145;
const RULE = AVATAR_TOP - 28;
const ABOVE_RULE = 12;
const SUBTITLE_GAP = 11;
const LINE_HEIGHT = 36;
const PLAIN = { size: 28, weight: 'regular' } as const;
const BOLD = { size: 28, weight: 'bold' } as const;

/** The rule for themes guarantees that every color pair used here is readable. */
function toCardTheme({ kind, activeTheme: { style, shape } }: OgImageDetails): CardTheme {
  const isBox = shape === 'box';
  if (!style) return { tones: PLATFORM_TONES, type: 'signage', radius: 0, cover: 'picture', isBox };
  const { surface, raised, text, muted, line, accent, onAccent } = style.palette;
  return {
    tones: { surface, placeholder: raised[2], text, muted, line, accent, onAccent },
    type: style.type,
    radius: style.radius * 2,
    // Only the cover of a profile is tinted, never a work.
    cover: kind === 'profile' ? style.cover : 'picture',
    isBox,
  };
}

type BoxStyle = NonNullable<ContainerNode['style']>;
const createBox = (style: BoxStyle, children: Node[] = []): ContainerNode => ({
  type: 'container',
  style: { display: 'flex', ...style },
  children,
});
const placeAt = (left: number, top: number, style: BoxStyle, children: Node[] = []): ContainerNode =>
  createBox({ position: 'absolute', left, top, ...style }, children);

const createDrawing = (viewBox: string, shapes: string, size: number): ImageNode => ({
  type: 'image',
  src: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${shapes}</svg>`,
  style: { width: size, height: size, flexShrink: 0 },
});
const createLogo = (size: number, color: string, dotColor: string): ImageNode =>
  createDrawing(
    '0 0 32 32',
    `<path fill="${color}" d="M4 29V3h18v26h-3V6H8.6L15 10.2V32z"/><circle fill="${dotColor}" cx="27.5" cy="6" r="3.5"/>`,
    size,
  );
const createLock = (size: number): ImageNode =>
  createDrawing(
    '0 0 24 24',
    `<path fill="${INK}" d="M4 10h16v12H4z"/><path fill="none" stroke="${INK}" stroke-width="2.4" d="M7.8 11V8a4.2 4.2 0 0 1 8.4 0v3"/>`,
    size,
  );
const createVerifiedBadge = (fontSize: number, { tones }: CardTheme): ImageNode =>
  createDrawing(
    '-1 -1 2 2',
    `<circle fill="${tones.text}" r="1"/><path fill="${tones.surface}" d="M-.52.02-.36-.14-.12.1.4-.42.56-.26-.12.42z"/>`,
    fontSize * 0.6,
  );
/** Width relative to the font size, with the space before it. */
const BADGE_WIDTH = 0.8;
const BADGE_GAP = 0.2;

async function createAvatar(avatar: Buffer, side: number, { isBox }: CardTheme): Promise<Node> {
  const size = { width: side, height: side };
  const node = await toImageNode(sharp(avatar, { failOn: 'none' }).resize(side, side, { fit: 'cover' }), size);
  return { ...node, style: { ...size, borderRadius: isBox ? side / 8 : side / 2 } };
}

/** Returns undefined if the work has no picture, or the theme shows none. */
async function createPicture(
  ctx: Pick<Context, 'storage'>,
  { pictureKey, thumbhash, focus }: OgImageDetails,
  { tones, cover }: CardTheme,
  size: PictureSize,
): Promise<ImageNode | undefined> {
  if (cover === 'colour') return undefined;
  const file = await readStoredFile(ctx, pictureKey);
  const picture = file
    ? await cropPicture(file, focus, size)
    : thumbhash === null
      ? undefined
      : drawThumbhash(thumbhash, size);
  return picture && toImageNode(cover === 'wash' ? await tintPicture(picture, tones.accent) : picture, size);
}

async function createWork(
  ctx: Pick<Context, 'storage'>,
  details: OgImageDetails,
  cardTheme: CardTheme,
  avatar: Buffer | undefined,
): Promise<Node> {
  const { tones, radius, cover } = cardTheme;
  const margin = radius > 0 ? MARGIN : 0;
  const size = { width: HALF - margin, height: HEIGHT - 2 * margin };
  const borderRadius = `${radius}px ${radius}px ${radius}px ${details.priceLabel === '' ? radius : 0}px`;
  // Starts at the middle, so that the gap between texts and work is the same as without a margin.
  const picture = await createPicture(ctx, details, cardTheme, size);
  if (picture) return placeAt(HALF, margin, size, [{ ...picture, style: { ...size, borderRadius } }]);
  const color = cover === 'colour' ? tones.onAccent : tones.line;
  const content = avatar
    ? await createAvatar(avatar, LARGE_AVATAR_SIZE, cardTheme)
    : createLogo(LARGE_LOGO_SIZE, color, color);
  const backgroundColor = cover === 'colour' ? tones.accent : tones.placeholder;
  return placeAt(
    HALF,
    margin,
    { ...size, borderRadius, backgroundColor, alignItems: 'center', justifyContent: 'center' },
    [content],
  );
}

function createPriceLabel(label: string, { radius }: CardTheme): Node {
  const height = 64;
  const top = HEIGHT - (radius > 0 ? MARGIN : 0) - height;
  const style = { height, padding: '0 24px 0 18px', gap: 12, alignItems: 'center', backgroundColor: PAPER } as const;
  return placeAt(HALF, top, style, [createLock(28), createTextNode(label, { size: 30, weight: 'bold' }, INK, 40)]);
}

type FittedTitle = { lines: string[]; size: number };
const getLineHeight = ({ size }: Pick<FittedTitle, 'size'>) => Math.round(size * 1.08);

/** Returns the largest size that breaks no word, leaves nothing out and is not higher than `height`, or else the smallest. */
export async function fitTitle(
  { title, authorName, isVerified }: Pick<OgImageDetails, 'title' | 'authorName' | 'isVerified'>,
  type: TypePair,
  height: number,
): Promise<FittedTitle> {
  const tokens = title.split(/\s+/u).filter((word) => word !== '');
  let fitted: FittedTitle = { lines: [''], size: 0 };
  for (const size of TITLES) {
    const width = TEXT_WIDTH - (isVerified && authorName === '' ? size * BADGE_WIDTH : 0);
    fitted = { lines: await breakLines(title, { size, type, width }, MAX_TITLE_LINES), size };
    if (fitted.lines.join(' ') === tokens.join(' ') && fitted.lines.length * getLineHeight(fitted) <= height) break;
  }
  return fitted;
}

/** Puts the badge after the last line. */
function addBadge(lines: readonly Node[], size: number, cardTheme: CardTheme): Node[] {
  const last = lines.at(-1);
  const badge = createVerifiedBadge(size, cardTheme);
  return [
    ...lines.slice(0, -1),
    createBox({ alignItems: 'center', gap: size * BADGE_GAP }, last ? [last, badge] : [badge]),
  ];
}

const createColumn = (left: number, top: number, style: BoxStyle, children: Node[]) =>
  placeAt(left, top, { flexDirection: 'column', alignItems: 'flex-start', ...style }, children);

async function createTexts(details: OgImageDetails, cardTheme: CardTheme): Promise<Node[]> {
  const { tones, type } = cardTheme;
  const subtitle = await breakLines(details.subtitle, { ...PLAIN, width: TEXT_WIDTH }, 2);
  const subtitleHeight = subtitle.length > 0 ? SUBTITLE_GAP + subtitle.length * LINE_HEIGHT : 0;
  const title = await fitTitle(details, type, RULE - ABOVE_RULE - TITLE_TOP - subtitleHeight);
  const { lines, size } = title;
  const titleLines = createLines(lines, { size, type }, tones.text, getLineHeight(title));
  const isBadgeHere = details.isVerified && details.authorName === '';
  const logo = placeAt(EDGE - 4, EDGE - 6, {}, [createLogo(42, tones.text, tones.accent)]);
  const brand = createTextNode('Stagedoor', { size: 30, weight: 'bold' }, tones.text, 40);
  return [
    logo,
    placeAt(EDGE + 50, EDGE - 5, {}, [brand]),
    createColumn(EDGE, TITLE_TOP, {}, [
      ...(isBadgeHere ? addBadge(titleLines, size, cardTheme) : titleLines),
      createBox(
        { flexDirection: 'column', alignItems: 'flex-start', marginTop: SUBTITLE_GAP },
        createLines(subtitle, PLAIN, tones.muted, LINE_HEIGHT),
      ),
    ]),
  ];
}

async function createFooter(
  details: OgImageDetails,
  cardTheme: CardTheme,
  avatar: Buffer | undefined,
): Promise<Node[]> {
  const { tones } = cardTheme;
  const { authorName, price, isVerified } = details;
  const left = EDGE + (avatar ? AVATAR_SIZE + 22 : 0);
  const width = HALF - EDGE - left;
  const createLine = async (text: string, style: typeof PLAIN | typeof BOLD, maxWidth = width) =>
    createLines(await breakLines(text, { ...style, width: maxWidth }, 1), style, tones.text, LINE_HEIGHT);
  const author = await createLine(authorName, BOLD, width - (isVerified ? BOLD.size * BADGE_WIDTH : 0));
  const lines =
    authorName === ''
      ? await createLine(price, BOLD)
      : [...(isVerified ? addBadge(author, BOLD.size, cardTheme) : author), ...(await createLine(price, PLAIN))];
  return [
    placeAt(EDGE, RULE, { width: TEXT_WIDTH, height: 2, backgroundColor: tones.line }),
    ...(avatar ? [placeAt(EDGE, AVATAR_TOP, {}, [await createAvatar(avatar, AVATAR_SIZE, cardTheme)])] : []),
    createColumn(left, AVATAR_TOP, { height: AVATAR_SIZE, justifyContent: 'center' }, lines),
  ];
}

async function prepareTexts(details: OgImageDetails): Promise<OgImageDetails> {
  return {
    ...details,
    title: await prepareText(details.title),
    subtitle: await prepareText(details.subtitle),
    authorName: await prepareText(details.authorName),
    price: await prepareText(details.price),
    priceLabel: await prepareText(details.priceLabel),
  };
}

/** Files that do not exist any more are left out. */
export async function drawOgImage(ctx: Pick<Context, 'storage'>, content: OgImageDetails): Promise<Buffer> {
  const details = await prepareTexts(content);
  const cardTheme = toCardTheme(details);
  const avatar = await readStoredFile(ctx, details.avatarKey);
  const size = { width: WIDTH, height: HEIGHT };
  const root = createBox({ ...size, backgroundColor: cardTheme.tones.surface }, [
    await createWork(ctx, details, cardTheme, avatar),
    ...(await createTexts(details, cardTheme)),
    ...(await createFooter(details, cardTheme, avatar)),
    ...(details.priceLabel === '' ? [] : [createPriceLabel(details.priceLabel, cardTheme)]),
  ]);
  const renderer = await getRenderer();
  const pixels = await renderer.render(root, { ...size, format: 'raw' });
  return sharp(pixels, { raw: { ...size, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** Themes are a few tokens instead of CSS (row B7). Server and form refuse unreadable colours with this schema. */
import * as z from 'zod/mini';
import { route } from './atoms/route.ts';
import {
  CONTRAST,
  isDark,
  type Pair,
  type Palette,
  paletteOf,
  type Refusal,
  ratioWords,
  refusalsOf,
  twinOf,
  weakestOf,
} from './theme-colours.ts';

/** Self-hosted, all under the SIL Open Font Licence. */
export const TYPE_PAIRS = ['signage', 'poster', 'programme', 'letter'] as const;
export type TypePair = (typeof TYPE_PAIRS)[number];
export const RADII = [0, 4, 12, 24] as const;
/** `wash`: the cover tinted with the accent. `colour`: only the accent. */
export const COVERS = ['picture', 'wash', 'colour'] as const;
export const LAYOUTS = ['classic', 'hero'] as const;
export const SHAPES = ['box', 'round'] as const;
export const FORMATS = ['col', 'row'] as const;

const colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Enter a color like #2f5d50'), z.toLowerCase());
const pair = z.object({ background: colour, accent: colour });

export const arrangement = z.object({
  layout: z.enum(LAYOUTS),
  shape: z.enum(SHAPES),
  format: z.enum(FORMATS),
});
export type Arrangement = z.infer<typeof arrangement>;

const tokens = z.object({
  ...pair.shape,
  /** Colours of the other mode: `made` derives them, `same` repeats them. */
  twin: z.union([z.enum(['made', 'same']), pair]),
  type: z.enum(TYPE_PAIRS),
  radius: z.literal(RADII),
  cover: z.enum(COVERS),
  ...arrangement.shape,
});
export type Theme = z.infer<typeof tokens>;

export function refusalWords({ part, colour: refused, against, ratio, nearest }: Refusal): string {
  const beside = part === 'accent' ? `${refused} on ${against}` : `Text on ${refused}`;
  return `${beside} is ${ratioWords(ratio)}. It needs ${CONTRAST}:1; closest match: ${nearest}`;
}

export function pairsOf({ background, accent, twin }: Pick<Theme, 'background' | 'accent' | 'twin'>): [Pair, Pair] {
  const own = { background, accent };
  if (twin === 'same') return [own, own];
  return [own, twin === 'made' ? twinOf(own) : twin];
}

export function palettesOf(theme: Pick<Theme, 'background' | 'accent' | 'twin'>): { light: Palette; dark: Palette } {
  const [own, other] = pairsOf(theme);
  const [drawn, twin] = [paletteOf(own), paletteOf(other)];
  return isDark(own.background) ? { light: twin, dark: drawn } : { light: drawn, dark: twin };
}

export function weakest(theme: Pick<Theme, 'background' | 'accent' | 'twin'>): number {
  return Math.min(...pairsOf(theme).map(weakestOf));
}

export type PlacedRefusal = Refusal & { path: readonly string[] };

export function refusals({ background, accent, twin }: Pick<Theme, 'background' | 'accent' | 'twin'>): PlacedRefusal[] {
  const placed = (of: Pair, before: readonly string[]) =>
    refusalsOf(of).map((refusal) => ({ ...refusal, path: [...before, refusal.part] }));
  return [...placed({ background, accent }, []), ...(typeof twin === 'object' ? placed(twin, ['twin']) : [])];
}

export const theme = tokens.check(({ value, issues }) => {
  for (const refusal of refusals(value))
    issues.push({ code: 'custom', path: [...refusal.path], message: refusalWords(refusal), input: refusal.colour });
});

export function codeOf({ background, accent, twin, type, radius, layout, shape, format, cover }: Theme): string {
  const bare = (hex: string) => hex.slice(1);
  const other = typeof twin === 'string' ? twin : `${bare(twin.background)}.${bare(twin.accent)}`;
  return [bare(background), bare(accent), other, type, radius, layout, shape, format, cover].join('-');
}

/** Undefined if the code is invalid or not readable. */
export function themeOfCode(code: string): Theme | undefined {
  const [background, accent, twin = '', type, radius, layout, shape, format, cover, ...rest] = code.split('-');
  const [first, second, ...more] = twin.split('.');
  const said = z.safeParse(theme, {
    background: `#${background}`,
    accent: `#${accent}`,
    twin: second === undefined ? twin : { background: `#${first}`, accent: `#${second}` },
    ...{ type, radius: radius === '' ? undefined : Number(radius), layout, shape, format, cover },
  });
  return rest.length === 0 && more.length === 0 && said.success && codeOf(said.data) === code ? said.data : undefined;
}

const hex = z.string();
const palette = z.object({
  isDark: z.boolean(),
  surface: hex,
  raised: z.readonly(z.tuple([hex, hex, hex])),
  text: hex,
  muted: hex,
  line: hex,
  edge: hex,
  accent: hex,
  onAccent: hex,
  success: hex,
  warn: hex,
  danger: hex,
});
export const themeLook = z.object({
  type: z.enum(TYPE_PAIRS),
  radius: z.literal(RADII),
  cover: z.enum(COVERS),
  light: palette,
  dark: palette,
});
export type ThemeLook = z.infer<typeof themeLook>;

export function lookOf(of: Theme): ThemeLook {
  return { type: of.type, radius: of.radius, cover: of.cover, ...palettesOf(of) };
}

const state = z.object({
  /** Optimistic lock for draft and published theme. */
  revision: z.number(),
  draft: z.nullable(tokens),
  published: z.nullable(tokens),
  arrangement,
});
export type ThemeState = z.infer<typeof state>;
const revision = z.coerce.number().check(z.int(), z.gte(0), z.lte(2_147_483_647));

export const getOwnTheme = route({
  method: 'GET',
  path: '/creator/theme',
  summary: 'Get your theme, both draft and published',
  auth: 'creator',
  rate: 'read',
  response: state,
});
export const saveThemeDraft = route({
  method: 'PUT',
  path: '/creator/theme/draft',
  summary: 'Save or discard your theme draft; fails with CONFLICT if the theme was changed elsewhere',
  auth: 'creator',
  rate: 'write',
  body: z.object({ revision, theme: z.nullable(theme) }),
  response: state,
  errors: ['CONFLICT'],
});
export const publishTheme = route({
  method: 'POST',
  path: '/creator/theme/publish',
  summary: 'Publish or remove your theme; fails with CONFLICT if the theme was changed elsewhere',
  auth: 'creator',
  rate: 'write',
  body: z.object({
    revision,
    theme: z.nullable(theme),
    arrangement: z.optional(arrangement),
    /** Publishes the draft and removes it. Otherwise the draft stays. */
    isDraft: z.optional(z.boolean()),
  }),
  response: state,
  errors: ['CONFLICT'],
});
export const sharedTheme = route({
  method: 'GET',
  path: '/public/themes/:code',
  summary: 'Get a shared theme by its code',
  auth: 'public',
  rate: 'read',
  params: z.object({ code: z.string().check(z.minLength(1), z.maxLength(120)) }),
  response: z.object({ code: z.string(), theme: tokens }),
  errors: ['NOT_FOUND'],
});

/** Themes are a few tokens instead of CSS (row B7). Server and form refuse unreadable colours with this schema. */
import * as z from 'zod/mini';
import { THEME_CODE_LENGTH } from '../shared/limits.ts';
import { route } from '../shared/route.ts';
import {
  CONTRAST,
  type ColourPair,
  type ContrastProblem,
  findContrastProblems,
  formatRatio,
  getWeakestContrast,
  isDark,
  type Palette,
  toOtherMode,
  toPalette,
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
  /** Colours of the other mode: `derived` derives them, `same` repeats them. */
  otherMode: z.union([z.enum(['derived', 'same']), pair]),
  type: z.enum(TYPE_PAIRS),
  radius: z.literal(RADII),
  cover: z.enum(COVERS),
  ...arrangement.shape,
});
export type Theme = z.infer<typeof tokens>;

export function formatContrastProblem({ part, colour: colourText, against, ratio, nearest }: ContrastProblem): string {
  const pairText = part === 'accent' ? `${colourText} on ${against}` : `Text on ${colourText}`;
  return `${pairText} is ${formatRatio(ratio)}. It needs ${CONTRAST}:1; closest match: ${nearest}`;
}

export function toColourPairs({
  background,
  accent,
  otherMode,
}: Pick<Theme, 'background' | 'accent' | 'otherMode'>): [ColourPair, ColourPair] {
  const own = { background, accent };
  if (otherMode === 'same') return [own, own];
  return [own, otherMode === 'derived' ? toOtherMode(own) : otherMode];
}

export function toPalettes(theme: Pick<Theme, 'background' | 'accent' | 'otherMode'>): {
  light: Palette;
  dark: Palette;
} {
  const [own, other] = toColourPairs(theme);
  const [ownPalette, otherPalette] = [toPalette(own), toPalette(other)];
  return isDark(own.background) ? { light: otherPalette, dark: ownPalette } : { light: ownPalette, dark: otherPalette };
}

export function getWeakestThemeContrast(theme: Pick<Theme, 'background' | 'accent' | 'otherMode'>): number {
  return Math.min(...toColourPairs(theme).map(getWeakestContrast));
}

export type ThemeContrastProblem = ContrastProblem & { path: readonly string[] };

export function findThemeContrastProblems({
  background,
  accent,
  otherMode,
}: Pick<Theme, 'background' | 'accent' | 'otherMode'>): ThemeContrastProblem[] {
  const findProblemsAt = (colours: ColourPair, path: readonly string[]) =>
    findContrastProblems(colours).map((problem) => ({ ...problem, path: [...path, problem.part] }));
  return [
    ...findProblemsAt({ background, accent }, []),
    ...(typeof otherMode === 'object' ? findProblemsAt(otherMode, ['otherMode']) : []),
  ];
}

export const theme = tokens.check(({ value, issues }) => {
  for (const problem of findThemeContrastProblems(value))
    issues.push({
      code: 'custom',
      path: [...problem.path],
      message: formatContrastProblem(problem),
      input: problem.colour,
    });
});

/** Undefined if a token is not valid. The colours may be unreadable. */
export function parseThemeTokens(value: unknown): Theme | undefined {
  const parsed = z.safeParse(tokens, value);
  return parsed.success ? parsed.data : undefined;
}

export function toThemeCode({
  background,
  accent,
  otherMode,
  type,
  radius,
  layout,
  shape,
  format,
  cover,
}: Theme): string {
  const toDigits = (hex: string) => hex.slice(1);
  const other =
    typeof otherMode === 'string' ? otherMode : `${toDigits(otherMode.background)}.${toDigits(otherMode.accent)}`;
  return [toDigits(background), toDigits(accent), other, type, radius, layout, shape, format, cover].join('-');
}

/** Undefined if the code is invalid or not readable. */
export function parseThemeCode(code: string): Theme | undefined {
  const [background, accent, otherMode = '', type, radius, layout, shape, format, cover, ...rest] = code.split('-');
  const [first, second, ...more] = otherMode.split('.');
  const parsed = z.safeParse(theme, {
    background: `#${background}`,
    accent: `#${accent}`,
    otherMode: second === undefined ? otherMode : { background: `#${first}`, accent: `#${second}` },
    ...{ type, radius: radius === '' ? undefined : Number(radius), layout, shape, format, cover },
  });
  return rest.length === 0 && more.length === 0 && parsed.success && toThemeCode(parsed.data) === code
    ? parsed.data
    : undefined;
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
export const themeAppearance = z.object({
  type: z.enum(TYPE_PAIRS),
  radius: z.literal(RADII),
  cover: z.enum(COVERS),
  light: palette,
  dark: palette,
});
export type ThemeAppearance = z.infer<typeof themeAppearance>;

export function toThemeAppearance(source: Theme): ThemeAppearance {
  return { type: source.type, radius: source.radius, cover: source.cover, ...toPalettes(source) };
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
export const getSharedTheme = route({
  method: 'GET',
  path: '/public/themes/:code',
  summary: 'Get a shared theme by its code',
  auth: 'public',
  rate: 'read',
  params: z.object({ code: z.string().check(z.minLength(1), z.maxLength(THEME_CODE_LENGTH)) }),
  response: z.object({ code: z.string(), theme: tokens }),
  errors: ['NOT_FOUND'],
});

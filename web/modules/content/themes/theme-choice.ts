/** The form of the theme editor in browsers without script. It is sent with GET, and the loader reads it. */
import { toOtherMode } from '@stagedoor/contract/content/theme-colours.ts';
import {
  findThemeContrastProblems,
  parseThemeTokens,
  type Theme,
  toThemeCode,
} from '@stagedoor/contract/content/themes.ts';
import { signupWithThemePath, themeEditPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { parseColour } from './parse-colour.ts';

export const THEME_FORM_ID = 'theme-form';
/** The parameter of the save button. */
export const SAVE_PARAMETER = 'save';

/**
 * The names of a colour's fields. It can be chosen, picked or typed, so the field that differs from the earlier colour
 * counts.
 */
export const toColourNames = (name: string) =>
  ({ chosen: name, picked: `${name}-picked`, typed: `${name}-typed`, earlier: `${name}-earlier` }) as const;

function readColour(params: URLSearchParams, part: string): string | undefined {
  const { chosen, picked, typed, earlier } = toColourNames(part);
  const read = (name: string) => parseColour(params.get(name) ?? '');
  const earlierColour = read(earlier);
  return [typed, picked, chosen].map(read).find((colour) => colour && colour !== earlierColour) ?? earlierColour;
}

function readOtherMode(params: URLSearchParams, own: { background: string; accent: string }): unknown {
  const kind = params.get('otherMode');
  if (kind !== 'own') return kind;
  const derived = toOtherMode(own);
  return {
    background: readColour(params, 'otherMode-background') ?? derived.background,
    accent: readColour(params, 'otherMode-accent') ?? derived.accent,
  };
}

/** The theme that was chosen in the form, which may be unreadable. Undefined for an address without the form's fields. */
export function readThemeChoice(params: URLSearchParams): Theme | undefined {
  const [background, accent] = [readColour(params, 'background'), readColour(params, 'accent')];
  if (!background || !accent) return undefined;
  const { type, radius, ...rest } = Object.fromEntries(params);
  return parseThemeTokens({
    ...{ ...rest, background, accent, type, radius: Number(radius) },
    otherMode: readOtherMode(params, { background, accent }),
  });
}

/** Where the sent form leads: to the theme's own address, or to the sign-up that saves it. Undefined if it is unreadable. */
export function findThemeChoicePath(theme: Theme, params: URLSearchParams): string | undefined {
  if (findThemeContrastProblems(theme).length > 0) return undefined;
  const code = toThemeCode(theme);
  return params.has(SAVE_PARAMETER) ? signupWithThemePath(code) : themeEditPath(code);
}

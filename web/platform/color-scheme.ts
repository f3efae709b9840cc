/** Light, dark or system theme, stored in a cookie so that the server renders the right theme without a flash. */
import { writeCookie } from './cookies.ts';

export const COLOR_SCHEMES = ['light', 'dark'] as const;
export type ColorScheme = (typeof COLOR_SCHEMES)[number];
export const COLOR_SCHEME_COOKIE = 'theme';
export const COLOR_SCHEME_SECONDS = 400 * 86_400;

/** Returns undefined for invalid values. Then the system theme applies. */
export function parseColorScheme(value: string | null | undefined): ColorScheme | undefined {
  return COLOR_SCHEMES.find((theme) => theme === value);
}

export const THEME_COLORS = { light: '#ffffff', dark: '#08090d' } as const;

export function setColorScheme(theme: ColorScheme | undefined): void {
  writeCookie(COLOR_SCHEME_COOKIE, theme ?? '', theme ? COLOR_SCHEME_SECONDS : 0);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

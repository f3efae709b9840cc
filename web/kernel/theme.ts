/** Light, dark or system theme, stored in a cookie so that the server renders the right theme without a flash. */
import { writeCookie } from './cookies.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = 'theme';
export const THEME_SECONDS = 400 * 86_400;

/** Returns undefined for invalid values. Then the system theme applies. */
export function asTheme(value: string | null | undefined): Theme | undefined {
  return THEMES.find((theme) => theme === value);
}

export const THEME_COLORS = { light: '#ffffff', dark: '#08090d' } as const;

export function chooseTheme(theme: Theme | undefined): void {
  writeCookie(THEME_COOKIE, theme ?? '', theme ? THEME_SECONDS : 0);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

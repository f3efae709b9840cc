/** Light, dark or the system's choice: a cookie that the server reads, so that no page flashes. */
import { writeCookie } from './cookies.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = 'theme';
export const THEME_SECONDS = 400 * 86_400;

/** A theme's name, or nothing for anything else: then the system decides. */
export function asTheme(value: string | null | undefined): Theme | undefined {
  return THEMES.find((theme) => theme === value);
}

/** The page's colour for the browser's own bars. */
export const THEME_COLORS = { light: '#ffffff', dark: '#08090d' } as const;

/** Keeps the choice and applies it at once. */
export function chooseTheme(theme: Theme | undefined): void {
  writeCookie(THEME_COOKIE, theme ?? '', theme ? THEME_SECONDS : 0);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** What account pages need of the root's data. */
import { asTheme, type Theme } from '../../kernel/theme.ts';

export function isDevelopmentOf(root: unknown): boolean {
  return typeof root === 'object' && root !== null && 'isDevelopment' in root && root.isDevelopment === true;
}

/** Whoever asked for the page was logged in, and is no more. */
export function hasEndedOf(root: unknown): boolean {
  return typeof root === 'object' && root !== null && 'hasEnded' in root && root.hasEnded === true;
}

export function themeOf(root: unknown): Theme | undefined {
  return typeof root === 'object' && root !== null && 'theme' in root && typeof root.theme === 'string'
    ? asTheme(root.theme)
    : undefined;
}

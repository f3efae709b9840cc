import { asTheme, type Theme } from '../../kernel/theme.ts';

export function isDevelopmentOf(root: unknown): boolean {
  return typeof root === 'object' && root !== null && 'isDevelopment' in root && root.isDevelopment === true;
}

export function hasEndedOf(root: unknown): boolean {
  return typeof root === 'object' && root !== null && 'hasEnded' in root && root.hasEnded === true;
}

export function themeOf(root: unknown): Theme | undefined {
  return typeof root === 'object' && root !== null && 'theme' in root && typeof root.theme === 'string'
    ? asTheme(root.theme)
    : undefined;
}

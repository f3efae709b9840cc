import { type ColorScheme, parseColorScheme } from '../../platform/color-scheme.ts';

export function readIsDevelopment(root: unknown): boolean {
  return typeof root === 'object' && root !== null && 'isDevelopment' in root && root.isDevelopment === true;
}

export function readHasEnded(root: unknown): boolean {
  return typeof root === 'object' && root !== null && 'hasEnded' in root && root.hasEnded === true;
}

export function readColorScheme(root: unknown): ColorScheme | undefined {
  return typeof root === 'object' && root !== null && 'theme' in root && typeof root.theme === 'string'
    ? parseColorScheme(root.theme)
    : undefined;
}

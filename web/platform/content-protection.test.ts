import { expect, test } from 'vitest';
import { isDeveloperKey, type KeyPress } from './content-protection.ts';

const toKeyPress = (shortcut: string): KeyPress => {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const code = key.length === 1 ? `Key${key}` : key;
  const [ctrlKey, metaKey, shiftKey, altKey] = ['Ctrl', 'Meta', 'Shift', 'Alt'].map((name) => parts.includes(name));
  return { key, code, ctrlKey: !!ctrlKey, metaKey: !!metaKey, shiftKey: !!shiftKey, altKey: !!altKey };
};

test.each([
  ...['F12', 'Shift+F12', 'Ctrl+U', 'Meta+Alt+U'],
  ...['I', 'J', 'C', 'K', 'E'].flatMap((key) => [`Ctrl+Shift+${key}`, `Meta+Alt+${key}`]),
])('%s is blocked as a developer tools shortcut', (shortcut) =>
  expect(isDeveloperKey(toKeyPress(shortcut))).toBe(true),
);

test.each([
  ...[
    'I',
    'Tab',
    'Enter',
    'F10',
    'Shift+F10',
    'ContextMenu',
    'Ctrl+C',
    'Ctrl+E',
    'Ctrl+F',
    'Ctrl+P',
    'Ctrl+R',
    'Meta+C',
    'Meta+R',
  ],
  // Shortcuts of screen readers.
  ...['Ctrl+Alt+U', 'Ctrl+Alt+I', 'Ctrl+Alt+Shift+C', 'Insert', 'CapsLock', 'Ctrl+Alt+F12', 'Alt+F12'],
])('%s is not blocked', (shortcut) => expect(isDeveloperKey(toKeyPress(shortcut))).toBe(false));

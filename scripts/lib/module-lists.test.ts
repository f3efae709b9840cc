import { expect, test } from 'vitest';
import { checkModuleLists, listText } from './module-lists.ts';

const LIST = {
  path: 'web/app/modules.ts',
  features: 'web/features',
  entries: ['room.ts', 'room.tsx'],
  importFrom: '../features/',
  typeFrom: '../kernel/room.ts',
};

test('imports each module by its folder, under a name in camel case', () => {
  expect(
    listText(LIST, [
      ['chat', 'room.tsx'],
      ['profile-editor', 'room.ts'],
    ]),
  ).toBe(`/** Every module, generated from the folders by \`node scripts/module-lists.mjs\`; do not edit. */
import { room as chat } from '../features/chat/room.tsx';
import { room as profileEditor } from '../features/profile-editor/room.ts';
import type { Room } from '../kernel/room.ts';

export const MODULES: readonly Room[] = [
  chat,
  profileEditor,
];
`);
});

test('the committed lists match the folders', () => {
  expect(checkModuleLists()).toEqual([]);
});

import { expect, test } from 'vitest';
import { checkModuleLists, formatList } from './module-lists.ts';

const LIST = {
  path: 'web/app/modules.ts',
  features: 'web/features',
  entries: ['module.ts', 'module.tsx'],
  importFrom: '../features/',
  typeFrom: '../kernel/module.ts',
};

test('imports each module by its folder, under a name in camel case', () => {
  expect(
    formatList(LIST, [
      ['chat', 'module.tsx'],
      ['profile-editor', 'module.ts'],
    ]),
  ).toBe(`/** Every module, generated from the folders by \`node scripts/module-lists.mjs\`; do not edit. */
import { featureModule as chat } from '../features/chat/module.tsx';
import { featureModule as profileEditor } from '../features/profile-editor/module.ts';
import type { FeatureModule } from '../kernel/module.ts';

export const MODULES: readonly FeatureModule[] = [
  chat,
  profileEditor,
];
`);
});

test('the committed lists match the folders', () => {
  expect(checkModuleLists()).toEqual([]);
});

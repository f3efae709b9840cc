import { expect, test } from 'vitest';
import { checkModuleLists, formatList } from './module-lists.ts';

const LIST = {
  path: 'web/app/modules.ts',
  modules: 'web/modules' as const,
  entries: ['module.ts', 'module.tsx'],
  importFrom: '../modules/',
  typeFrom: '../platform/module.ts',
};

test('imports each module by its folder, under a name in camel case', () => {
  expect(
    formatList(LIST, [
      ['messaging/chat', 'module.tsx'],
      ['identity/geo-blocks', 'module.ts'],
    ]),
  ).toBe(`/** Every module, generated from the folders by \`node scripts/module-lists.mjs\`; do not edit. */
import { featureModule as chat } from '../modules/messaging/chat/module.tsx';
import { featureModule as geoBlocks } from '../modules/identity/geo-blocks/module.ts';
import type { FeatureModule } from '../platform/module.ts';

export const MODULES: readonly FeatureModule[] = [
  chat,
  geoBlocks,
];
`);
});

test('the committed lists match the folders', () => {
  expect(checkModuleLists()).toEqual([]);
});

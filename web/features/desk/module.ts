import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { FeatureModule } from '../../kernel/module.ts';

export const featureModule: FeatureModule = {
  nav: { operator: [{ order: 20, href: PATHS.admin, label: 'Console', icon: 'inbox' }] },
};

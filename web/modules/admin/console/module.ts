import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';

export const featureModule: FeatureModule = {
  nav: { operator: [{ order: 20, href: PATHS.admin, label: 'Console', icon: 'inbox' }] },
};

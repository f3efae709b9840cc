import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { FeatureModule } from '../../kernel/module.ts';

export const featureModule: FeatureModule = {
  nav: { creator: [{ order: 70, href: PATHS.creatorProfile, label: 'Profile', icon: 'person', isInTopBar: true }] },
};

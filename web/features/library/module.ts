import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { FeatureModule } from '../../kernel/module.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ order: 60, href: PATHS.fanMedia, label: 'Media', icon: 'images', isRailOnly: true }],
    creator: [{ order: 60, href: PATHS.creatorMedia, label: 'Media', icon: 'images', isRailOnly: true }],
  },
};

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ order: 60, href: PATHS.fanMedia, label: 'Media', icon: 'images', isRailOnly: true }],
    creator: [{ order: 60, href: PATHS.creatorMedia, label: 'Media', icon: 'images', isRailOnly: true }],
  },
};

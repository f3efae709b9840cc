import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ order: 80, href: PATHS.fanProfile, label: 'Me', icon: 'person' }],
    creator: [{ order: 80, href: PATHS.creatorSettings, label: 'Settings', icon: 'settings', isRailOnly: true }],
    operator: [{ order: 80, href: PATHS.adminAccount, label: 'Account', icon: 'person' }],
  },
};

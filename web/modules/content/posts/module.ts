import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ order: 20, href: PATHS.fanDashboard, label: 'Feed', icon: 'feed' }],
    creator: [{ order: 20, href: PATHS.creatorFeed, label: 'Feed', icon: 'feed' }],
  },
};

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { createLazyListener, type FeatureModule } from '../../../platform/module.ts';
import * as texts from './texts.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ order: 20, href: PATHS.fanDashboard, label: texts.feed, icon: 'feed' }],
    creator: [{ order: 20, href: PATHS.creatorFeed, label: texts.feed, icon: 'feed' }],
  },
  live: [createLazyListener(async () => (await import('./socket-events.ts')).subscribeToPosts)],
};

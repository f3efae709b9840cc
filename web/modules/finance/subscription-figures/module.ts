import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';
import * as texts from './texts.ts';

export const featureModule: FeatureModule = {
  nav: {
    creator: [
      { order: 52, href: PATHS.creatorSubscribers, label: texts.subscribers, icon: 'people', isRailOnly: true },
    ],
  },
};

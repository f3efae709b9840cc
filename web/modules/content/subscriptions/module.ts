import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';
import * as texts from './texts.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [
      { order: 55, href: PATHS.fanSubscriptions, label: texts.subscriptionsTitle, icon: 'refresh', isRailOnly: true },
    ],
  },
};

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';
import * as texts from './texts.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ order: 80, href: PATHS.fanProfile, label: texts.meTab, icon: 'person' }],
    creator: [{ order: 80, href: PATHS.creatorSettings, label: texts.settings, icon: 'settings', isRailOnly: true }],
    operator: [{ order: 80, href: PATHS.adminAccount, label: texts.account, icon: 'person' }],
  },
};

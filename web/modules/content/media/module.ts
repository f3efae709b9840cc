import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';
import * as texts from './texts.ts';

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ order: 60, href: PATHS.fanMedia, label: texts.media, icon: 'images', isRailOnly: true }],
    creator: [{ order: 60, href: PATHS.creatorMedia, label: texts.media, icon: 'images', isRailOnly: true }],
  },
};

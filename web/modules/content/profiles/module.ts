import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule, NavEntry } from '../../../platform/module.ts';
import * as texts from './texts.ts';

const home: NavEntry = { order: 10, href: PATHS.home, label: 'Home', icon: 'home' };

export const featureModule: FeatureModule = {
  nav: {
    customer: [home],
    operator: [home],
    creator: [{ order: 70, href: PATHS.creatorProfile, label: texts.profile, icon: 'person', isInTopBar: true }],
  },
};

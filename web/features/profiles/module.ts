import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { FeatureModule, NavEntry } from '../../kernel/module.ts';

const home: NavEntry = { order: 10, href: PATHS.home, label: 'Home', icon: 'home' };

export const featureModule: FeatureModule = { nav: { customer: [home], operator: [home] } };

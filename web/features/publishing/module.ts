import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { FeatureModule } from '../../kernel/module.ts';

export const featureModule: FeatureModule = {
  nav: { creator: [{ order: 30, href: PATHS.creatorNewPost, label: 'New', icon: 'plus' }] },
};

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';
import * as texts from './texts.ts';

export const featureModule: FeatureModule = {
  nav: { operator: [{ order: 20, href: PATHS.admin, label: texts.consoleTitle, icon: 'inbox' }] },
};

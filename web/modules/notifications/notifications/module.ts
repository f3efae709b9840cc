import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { lazyPart } from '../../../platform/lazy-part.ts';
import type { FeatureModule, NavEntry } from '../../../platform/module.ts';
import * as texts from './texts.ts';

const entry: Omit<NavEntry, 'href'> = {
  order: 75,
  label: texts.notifications,
  icon: 'bell',
  isInTopBar: true,
  Badge: lazyPart(async () => (await import('./badge.tsx')).UnreadBadge),
};

export const featureModule: FeatureModule = {
  nav: {
    customer: [{ ...entry, href: PATHS.fanNotifications }],
    creator: [{ ...entry, href: PATHS.creatorNotifications }],
  },
};

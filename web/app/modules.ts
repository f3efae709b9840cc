/** Every module, generated from the folders by `node scripts/module-lists.mjs`; do not edit. */
import { featureModule as console } from '../modules/admin/console/module.ts';
import { featureModule as drafts } from '../modules/content/drafts/module.ts';
import { featureModule as media } from '../modules/content/media/module.ts';
import { featureModule as posts } from '../modules/content/posts/module.ts';
import { featureModule as profiles } from '../modules/content/profiles/module.ts';
import { featureModule as subscriptions } from '../modules/content/subscriptions/module.ts';
import { featureModule as earnings } from '../modules/finance/earnings/module.ts';
import { featureModule as wallet } from '../modules/finance/wallet/module.ts';
import { featureModule as accounts } from '../modules/identity/accounts/module.ts';
import { featureModule as calls } from '../modules/messaging/calls/module.ts';
import { featureModule as chat } from '../modules/messaging/chat/module.tsx';
import { featureModule as notifications } from '../modules/notifications/notifications/module.ts';
import type { FeatureModule } from '../platform/module.ts';

export const MODULES: readonly FeatureModule[] = [
  console,
  drafts,
  media,
  posts,
  profiles,
  subscriptions,
  earnings,
  wallet,
  accounts,
  calls,
  chat,
  notifications,
];

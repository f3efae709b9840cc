/** Every module, generated from the folders by `node scripts/module-lists.mjs`; do not edit. */
import { featureModule as account } from '../features/account/module.ts';
import { featureModule as calls } from '../features/calls/module.ts';
import { featureModule as chat } from '../features/chat/module.tsx';
import { featureModule as desk } from '../features/desk/module.ts';
import { featureModule as earnings } from '../features/earnings/module.ts';
import { featureModule as library } from '../features/library/module.ts';
import { featureModule as notifications } from '../features/notifications/module.ts';
import { featureModule as posts } from '../features/posts/module.ts';
import { featureModule as profileEditor } from '../features/profile-editor/module.ts';
import { featureModule as profiles } from '../features/profiles/module.ts';
import { featureModule as publishing } from '../features/publishing/module.ts';
import { featureModule as wallet } from '../features/wallet/module.ts';
import type { FeatureModule } from '../kernel/module.ts';

export const MODULES: readonly FeatureModule[] = [
  account,
  calls,
  chat,
  desk,
  earnings,
  library,
  notifications,
  posts,
  profileEditor,
  profiles,
  publishing,
  wallet,
];

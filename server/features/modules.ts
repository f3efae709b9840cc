/** Every module, generated from the folders by `node scripts/module-lists.mjs`; do not edit. */
import type { FeatureModule } from '../kernel/module.ts';
import { featureModule as accounts } from './accounts/index.ts';
import { featureModule as affiliates } from './affiliates/index.ts';
import { featureModule as archive } from './archive/index.ts';
import { featureModule as audit } from './audit/index.ts';
import { featureModule as blocks } from './blocks/index.ts';
import { featureModule as calls } from './calls/index.ts';
import { featureModule as cases } from './cases/index.ts';
import { featureModule as chat } from './chat/index.ts';
import { featureModule as closing } from './closing/index.ts';
import { featureModule as desk } from './desk/index.ts';
import { featureModule as development } from './development/index.ts';
import { featureModule as earnings } from './earnings/index.ts';
import { featureModule as entitlements } from './entitlements/index.ts';
import { featureModule as feed } from './feed/index.ts';
import { featureModule as follows } from './follows/index.ts';
import { featureModule as found } from './found/index.ts';
import { featureModule as goals } from './goals/index.ts';
import { featureModule as ledger } from './ledger/index.ts';
import { featureModule as ledgerDesk } from './ledger-desk/index.ts';
import { featureModule as lookup } from './lookup/index.ts';
import { featureModule as media } from './media/index.ts';
import { featureModule as notifications } from './notifications/index.ts';
import { featureModule as operators } from './operators/index.ts';
import { featureModule as ownLimits } from './own-limits/index.ts';
import { featureModule as payments } from './payments/index.ts';
import { featureModule as payouts } from './payouts/index.ts';
import { featureModule as policies } from './policies/index.ts';
import { featureModule as posts } from './posts/index.ts';
import { featureModule as presence } from './presence/index.ts';
import { featureModule as profiles } from './profiles/index.ts';
import { featureModule as publishing } from './publishing/index.ts';
import { featureModule as regions } from './regions/index.ts';
import { featureModule as sales } from './sales/index.ts';
import { featureModule as shares } from './shares/index.ts';
import { featureModule as state } from './state/index.ts';
import { featureModule as statements } from './statements/index.ts';
import { featureModule as switches } from './switches/index.ts';
import { featureModule as team } from './team/index.ts';
import { featureModule as themes } from './themes/index.ts';
import { featureModule as transparency } from './transparency/index.ts';
import { featureModule as verification } from './verification/index.ts';
import { featureModule as wallet } from './wallet/index.ts';

export const MODULES: readonly FeatureModule[] = [
  accounts,
  affiliates,
  archive,
  audit,
  blocks,
  calls,
  cases,
  chat,
  closing,
  desk,
  development,
  earnings,
  entitlements,
  feed,
  follows,
  found,
  goals,
  ledger,
  ledgerDesk,
  lookup,
  media,
  notifications,
  operators,
  ownLimits,
  payments,
  payouts,
  policies,
  posts,
  presence,
  profiles,
  publishing,
  regions,
  sales,
  shares,
  state,
  statements,
  switches,
  team,
  themes,
  transparency,
  verification,
  wallet,
];

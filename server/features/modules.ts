/** Every module, generated from the folders by `node scripts/module-lists.mjs`; do not edit. */
import type { Room } from '../kernel/room.ts';
import { room as accounts } from './accounts/index.ts';
import { room as affiliates } from './affiliates/index.ts';
import { room as archive } from './archive/index.ts';
import { room as audit } from './audit/index.ts';
import { room as blocks } from './blocks/index.ts';
import { room as calls } from './calls/index.ts';
import { room as cases } from './cases/index.ts';
import { room as chat } from './chat/index.ts';
import { room as closing } from './closing/index.ts';
import { room as desk } from './desk/index.ts';
import { room as development } from './development/index.ts';
import { room as earnings } from './earnings/index.ts';
import { room as entitlements } from './entitlements/index.ts';
import { room as feed } from './feed/index.ts';
import { room as follows } from './follows/index.ts';
import { room as found } from './found/index.ts';
import { room as goals } from './goals/index.ts';
import { room as ledger } from './ledger/index.ts';
import { room as ledgerDesk } from './ledger-desk/index.ts';
import { room as lookup } from './lookup/index.ts';
import { room as media } from './media/index.ts';
import { room as notifications } from './notifications/index.ts';
import { room as operators } from './operators/index.ts';
import { room as ownLimits } from './own-limits/index.ts';
import { room as payments } from './payments/index.ts';
import { room as payouts } from './payouts/index.ts';
import { room as policies } from './policies/index.ts';
import { room as posts } from './posts/index.ts';
import { room as presence } from './presence/index.ts';
import { room as profiles } from './profiles/index.ts';
import { room as publishing } from './publishing/index.ts';
import { room as regions } from './regions/index.ts';
import { room as sales } from './sales/index.ts';
import { room as shares } from './shares/index.ts';
import { room as state } from './state/index.ts';
import { room as statements } from './statements/index.ts';
import { room as switches } from './switches/index.ts';
import { room as team } from './team/index.ts';
import { room as themes } from './themes/index.ts';
import { room as transparency } from './transparency/index.ts';
import { room as verification } from './verification/index.ts';
import { room as wallet } from './wallet/index.ts';

export const MODULES: readonly Room[] = [
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

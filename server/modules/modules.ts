/** Every module, generated from the folders by `node scripts/module-lists.mjs`; do not edit. */
import type { FeatureModule } from '../platform/module.ts';
import { featureModule as ledgerExplorer } from './admin/ledger-explorer/index.ts';
import { featureModule as search } from './admin/search/index.ts';
import { featureModule as systemStatus } from './admin/system-status/index.ts';
import { featureModule as workQueue } from './admin/work-queue/index.ts';
import { featureModule as ccbill } from './commerce/ccbill/index.ts';
import { featureModule as debts } from './commerce/debts/index.ts';
import { featureModule as deposits } from './commerce/deposits/index.ts';
import { featureModule as reconciliation } from './commerce/reconciliation/index.ts';
import { featureModule as sales } from './commerce/sales/index.ts';
import { featureModule as siteStatus } from './commerce/site-status/index.ts';
import { featureModule as spendingLimits } from './commerce/spending-limits/index.ts';
import { featureModule as verification } from './compliance/verification/index.ts';
import { featureModule as drafts } from './content/drafts/index.ts';
import { featureModule as entitlements } from './content/entitlements/index.ts';
import { featureModule as feed } from './content/feed/index.ts';
import { featureModule as follows } from './content/follows/index.ts';
import { featureModule as media } from './content/media/index.ts';
import { featureModule as mediaProcessing } from './content/media-processing/index.ts';
import { featureModule as ogImages } from './content/og-images/index.ts';
import { featureModule as posts } from './content/posts/index.ts';
import { featureModule as profiles } from './content/profiles/index.ts';
import { featureModule as seo } from './content/seo/index.ts';
import { featureModule as subscriptionTiers } from './content/subscription-tiers/index.ts';
import { featureModule as subscriptions } from './content/subscriptions/index.ts';
import { featureModule as themes } from './content/themes/index.ts';
import { featureModule as affiliates } from './finance/affiliates/index.ts';
import { featureModule as earnings } from './finance/earnings/index.ts';
import { featureModule as payouts } from './finance/payouts/index.ts';
import { featureModule as pricing } from './finance/pricing/index.ts';
import { featureModule as statements } from './finance/statements/index.ts';
import { featureModule as subscriptionFigures } from './finance/subscription-figures/index.ts';
import { featureModule as tipGoals } from './finance/tip-goals/index.ts';
import { featureModule as wallet } from './finance/wallet/index.ts';
import { featureModule as accountDeletion } from './identity/account-deletion/index.ts';
import { featureModule as accounts } from './identity/accounts/index.ts';
import { featureModule as approvals } from './identity/approvals/index.ts';
import { featureModule as auditLog } from './identity/audit-log/index.ts';
import { featureModule as blocks } from './identity/blocks/index.ts';
import { featureModule as dataExport } from './identity/data-export/index.ts';
import { featureModule as devMailbox } from './identity/dev-mailbox/index.ts';
import { featureModule as geoBlocks } from './identity/geo-blocks/index.ts';
import { featureModule as presence } from './identity/presence/index.ts';
import { featureModule as staff } from './identity/staff/index.ts';
import { featureModule as teams } from './identity/teams/index.ts';
import { featureModule as ledger } from './ledger/ledger/index.ts';
import { featureModule as ledgerChecks } from './ledger/ledger-checks/index.ts';
import { featureModule as calls } from './messaging/calls/index.ts';
import { featureModule as chat } from './messaging/chat/index.ts';
import { featureModule as notifications } from './notifications/notifications/index.ts';
import { featureModule as push } from './notifications/push/index.ts';
import { featureModule as copyright } from './trust/copyright/index.ts';
import { featureModule as legal } from './trust/legal/index.ts';
import { featureModule as moderation } from './trust/moderation/index.ts';
import { featureModule as support } from './trust/support/index.ts';
import { featureModule as transparencyLog } from './trust/transparency-log/index.ts';

export const MODULES: readonly FeatureModule[] = [
  ledgerExplorer,
  search,
  systemStatus,
  workQueue,
  ccbill,
  debts,
  deposits,
  reconciliation,
  sales,
  siteStatus,
  spendingLimits,
  verification,
  drafts,
  entitlements,
  feed,
  follows,
  media,
  mediaProcessing,
  ogImages,
  posts,
  profiles,
  seo,
  subscriptionTiers,
  subscriptions,
  themes,
  affiliates,
  earnings,
  payouts,
  pricing,
  statements,
  subscriptionFigures,
  tipGoals,
  wallet,
  accountDeletion,
  accounts,
  approvals,
  auditLog,
  blocks,
  dataExport,
  devMailbox,
  geoBlocks,
  presence,
  staff,
  teams,
  ledger,
  ledgerChecks,
  calls,
  chat,
  notifications,
  push,
  copyright,
  legal,
  moderation,
  support,
  transparencyLog,
];

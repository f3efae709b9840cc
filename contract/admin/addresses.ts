/** Paths of the admin console, separate so that other pages do not load them. */

export const ADMIN_PATHS = {
  adminCalls: '/admin/calls',
  adminDebtors: '/admin/debtors',
  adminApprovals: '/admin/approvals',
  adminDifferences: '/admin/differences',
  adminPayouts: '/admin/payouts',
  adminPayoutBatches: '/admin/payouts/batches',
  adminPayoutWebhooks: '/admin/payouts/webhooks',
  adminProcessorWebhooks: '/admin/processor-webhooks',
  adminSubscriptions: '/admin/subscriptions',
  adminSettings: '/admin/settings',
  adminVerifications: '/admin/verifications',
  adminLedger: '/admin/ledger',
  adminReconciliation: '/admin/ledger/reconciliation',
  adminSettlements: '/admin/ledger/settlements',
  adminAlarms: '/admin/alarms',
  adminNewCreatorSlots: '/admin/new-creator-slots',
  adminPush: '/admin/push',
  adminKillSwitches: '/admin/kill-switches',
  adminAnnouncements: '/admin/announcements',
  adminSystem: '/admin/system',
  adminAudit: '/admin/audit',
  adminStaff: '/admin/staff',
  adminSearch: '/admin/search',
  adminStepUp: '/admin/step-up',
} as const;

export const adminVerificationPath = (creatorId: string) => `${ADMIN_PATHS.adminVerifications}/${creatorId}`;

export const adminUserPath = (id: string) => `/admin/users/${id}`;

export const adminPostPath = (id: string) => `/admin/posts/${id}`;
export const adminCallPath = (id: string) => `${ADMIN_PATHS.adminCalls}/${id}`;

export const adminSubscriptionPath = (id: string) => `${ADMIN_PATHS.adminSubscriptions}/${id}`;
/** Of a fan or creator. */
export const adminUserSubscriptionsPath = (username: string) =>
  `${ADMIN_PATHS.adminSubscriptions}?user=${encodeURIComponent(username)}`;

export const adminPayoutPath = (payoutId: string) => `${ADMIN_PATHS.adminPayouts}/${payoutId}`;

export const ledgerSearchPath = (q: string) => `${ADMIN_PATHS.adminLedger}?q=${encodeURIComponent(q)}`;
export const ledgerTransactionPath = (id: string) => `${ADMIN_PATHS.adminLedger}/transactions/${id}`;
export const ledgerAccountPath = (code: string) => `${ADMIN_PATHS.adminLedger}/accounts/${code}`;

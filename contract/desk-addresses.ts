/** Paths of the admin console, separate so that other pages do not load them. */

export const DESK_PATHS = {
  adminCalls: '/admin/calls',
  adminDebtors: '/admin/debtors',
  adminToConfirm: '/admin/to-confirm',
  adminDifferences: '/admin/differences',
  adminPayouts: '/admin/payouts',
  adminPayoutBatches: '/admin/payouts/batches',
  adminPayoutNotices: '/admin/payouts/notices',
  adminProcessorEvents: '/admin/processor-events',
  adminSettings: '/admin/settings',
  adminVerifications: '/admin/verifications',
  adminLedger: '/admin/ledger',
  adminReconciliation: '/admin/ledger/reconciliation',
  adminSettlements: '/admin/ledger/settlements',
  adminAlarms: '/admin/alarms',
  adminNewcomers: '/admin/newcomers',
  adminPush: '/admin/push',
  adminSwitches: '/admin/switches',
  adminAnnouncements: '/admin/announcements',
  adminState: '/admin/state',
  adminAudit: '/admin/audit',
  adminTeam: '/admin/team',
  adminSearch: '/admin/search',
  adminProve: '/admin/prove',
} as const;

export const verificationCasePath = (creatorId: string) => `${DESK_PATHS.adminVerifications}/${creatorId}`;

export const personDeskPath = (id: string) => `/admin/people/${id}`;

export const postDeskPath = (id: string) => `/admin/posts/${id}`;
export const callDeskPath = (id: string) => `${DESK_PATHS.adminCalls}/${id}`;

export const payoutCasePath = (payoutId: string) => `${DESK_PATHS.adminPayouts}/${payoutId}`;

export const ledgerSearchPath = (q: string) => `${DESK_PATHS.adminLedger}?q=${encodeURIComponent(q)}`;
export const ledgerTransactionPath = (id: string) => `${DESK_PATHS.adminLedger}/transactions/${id}`;
export const ledgerAccountPath = (code: string) => `${DESK_PATHS.adminLedger}/accounts/${code}`;

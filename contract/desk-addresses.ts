/** Where the operators' desk is. Apart from the addresses that every page carries. */

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
  /** Where operators prove again who they are. */
  adminProve: '/admin/prove',
} as const;

/** A creator's verification, as an operator sees it. */
export const verificationCasePath = (creatorId: string) => `${DESK_PATHS.adminVerifications}/${creatorId}`;

/** A person, as an operator sees them. */
export const personDeskPath = (id: string) => `/admin/people/${id}`;

/** A post, and a call, as an operator sees them. */
export const postDeskPath = (id: string) => `/admin/posts/${id}`;
export const callDeskPath = (id: string) => `${DESK_PATHS.adminCalls}/${id}`;

/** A payout, as an operator sees it. */
export const payoutCasePath = (payoutId: string) => `${DESK_PATHS.adminPayouts}/${payoutId}`;

/** The ledger's desk: what an operator looks up, one transaction, one account's statement. */
export const ledgerSearchPath = (q: string) => `${DESK_PATHS.adminLedger}?q=${encodeURIComponent(q)}`;
export const ledgerTransactionPath = (id: string) => `${DESK_PATHS.adminLedger}/transactions/${id}`;
export const ledgerAccountPath = (code: string) => `${DESK_PATHS.adminLedger}/accounts/${code}`;

import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';

export const ROLE_WORDS: Readonly<Record<OperatorRole, { name: string; what: string }>> = {
  owner: { name: 'Owner', what: 'Full access, including staff' },
  moderator: { name: 'Moderator', what: 'Cases, verification, calls' },
  finance: { name: 'Finance', what: 'Payouts, debts, payments, ledger' },
  support: { name: 'Support', what: 'Support requests' },
  auditor: { name: 'Auditor', what: 'Read-only. No identity documents or reported content' },
};

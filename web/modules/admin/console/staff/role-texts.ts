import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';

export const ROLE_TEXTS: Readonly<Record<OperatorRole, { name: string; description: string }>> = {
  owner: { name: 'Owner', description: 'Full access, including staff' },
  moderator: { name: 'Moderator', description: 'Cases, verification, calls' },
  finance: { name: 'Finance', description: 'Payouts, debts, payments, ledger' },
  support: { name: 'Support', description: 'Support requests' },
  auditor: { name: 'Auditor', description: 'Read-only. No identity documents or reported content' },
};

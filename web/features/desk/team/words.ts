import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';

export const ROLE_WORDS: Readonly<Record<OperatorRole, { name: string; what: string }>> = {
  owner: { name: 'Owner', what: 'Everything, and who works here' },
  moderator: { name: 'Moderator', what: 'Cases, verification, calls' },
  finance: { name: 'Finance', what: 'Payouts, debts, the processor, the books' },
  support: { name: 'Support', what: 'Who asks for help' },
  auditor: { name: 'Auditor', what: 'Reads, but neither documents nor what is reported; changes nothing' },
};

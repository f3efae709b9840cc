import * as audit from '@stagedoor/contract/admin-audit.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'audit',
  dependsOn: ['accounts'],
  contract: [audit],
  tables: {
    audit_log: {
      grants: 'append',
      readers: ['transparency'],
      exceptions: [{ module: 'ledger', allows: 'read', reason: 'The proof that the books are right is of the whole.' }],
      personalData: { inPrivacyPolicyAs: 'operatorActions' },
    },
  },
  functions: {
    audit_chain: {},
    audit_hash: { exceptions: [{ module: 'ledger', allows: 'call', reason: 'The proof makes each hash anew.' }] },
    audit_append_only: {},
  },
});

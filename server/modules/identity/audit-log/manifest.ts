import * as adminAuditLog from '@stagedoor/contract/admin/audit-log.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'audit-log',
  dependsOn: ['accounts'],
  contract: [adminAuditLog],
  tables: {
    audit_log: {
      grants: 'append',
      readers: ['transparency-log'],
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

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
      exceptions: [
        { module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' },
      ],
      personalData: { inPrivacyPolicyAs: 'operatorActions' },
    },
  },
  functions: {
    audit_chain: {},
    audit_hash: {
      exceptions: [{ module: 'ledger-checks', allows: 'call', reason: 'The check computes each hash again.' }],
    },
    audit_append_only: {},
  },
});

import * as adminApprovals from '@stagedoor/contract/admin/approvals.ts';
import * as adminStaff from '@stagedoor/contract/admin/staff.ts';
import { defineModule } from '../../../platform/module.ts';
import { SET_BY_OPERATORS } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'staff',
  dependsOn: ['accounts', 'audit-log', 'ledger'],
  contract: [adminApprovals, adminStaff],
  emits: ['operators.changed'],
  handles: ['operators.changed'],
  provides: ['staff.approvalHandler', 'staff.approvalLimit'],
  tables: {
    approval_requests: {
      grants: 'append',
      updates: ['ended_at', 'ended_by', 'outcome'],
      exceptions: [
        { module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' },
      ],
      readers: ['transparency-log'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    setting_approvals: { grants: 'replace', personalData: SET_BY_OPERATORS },
  },
});

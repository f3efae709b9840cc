import * as adminApprovals from '@stagedoor/contract/admin/approvals.ts';
import * as adminSettingApprovals from '@stagedoor/contract/admin/setting-approvals.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'approvals',
  dependsOn: ['accounts', 'audit-log', 'staff'],
  contract: [adminApprovals, adminSettingApprovals],
  provides: ['approvals.approvalHandler', 'approvals.approvalLimit', 'approvals.guardedSetting'],
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
  },
});

import * as moneyActs from '@stagedoor/contract/admin-approvals.ts';
import * as operators from '@stagedoor/contract/admin-staff.ts';
import { defineModule } from '../../kernel/module.ts';
import { SET_BY_OPERATORS } from '../../kernel/personal-data.ts';

export const manifest = defineModule({
  name: 'operators',
  dependsOn: ['accounts', 'audit', 'ledger'],
  contract: [moneyActs, operators],
  emits: ['operators.changed'],
  handles: ['operators.changed'],
  tables: {
    approval_requests: {
      grants: 'append',
      updates: ['ended_at', 'ended_by', 'outcome'],
      exceptions: [{ module: 'ledger', allows: 'read', reason: 'The proof that the books are right is of the whole.' }],
      readers: ['transparency'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    setting_approvals: { grants: 'replace', personalData: SET_BY_OPERATORS },
  },
});

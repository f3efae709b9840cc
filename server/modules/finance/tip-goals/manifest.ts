import * as tipGoals from '@stagedoor/contract/finance/tip-goals.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'tip-goals',
  dependsOn: ['accounts', 'data-export', 'blocks', 'account-deletion', 'presence', 'sales', 'wallet'],
  contract: [tipGoals],
  emits: ['goal.changed'],
  handles: ['goal.changed', 'sale.made', 'sale.refunded'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart', 'wallet.tipGuard'],
  tables: {
    tip_goals: {
      grants: 'append',
      updates: ['closed_at', 'title'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The record that a goal existed, without its title.' },
        inExportAs: 'goals',
      },
    },
  },
});

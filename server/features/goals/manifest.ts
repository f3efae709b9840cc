import * as goals from '@stagedoor/contract/tip-goals.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'goals',
  dependsOn: ['accounts', 'archive', 'blocks', 'closing', 'presence', 'sales', 'wallet'],
  contract: [goals],
  emits: ['goal.changed'],
  handles: ['goal.changed', 'sale.made', 'sale.refunded'],
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

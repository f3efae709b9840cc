import * as goals from '@stagedoor/contract/goals.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'goals',
  above: ['accounts', 'archive', 'blocks', 'closing', 'presence', 'sales', 'wallet'],
  contract: [goals],
  emits: ['goal.changed'],
  hears: ['goal.changed', 'sale.made', 'sale.refunded'],
  tables: {
    tip_goals: {
      rows: 'append',
      updates: ['closed_at', 'title'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The record that a goal existed, without its title.' },
        inExportAs: 'goals',
      },
    },
  },
});

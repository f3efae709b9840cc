import * as announcements from '@stagedoor/contract/admin-announcements.ts';
import * as killSwitches from '@stagedoor/contract/admin-kill-switches.ts';
import * as house from '@stagedoor/contract/site-status.ts';
import { defineModule } from '../../kernel/module.ts';
import { SET_BY_OPERATORS } from '../../kernel/personal-data.ts';

export const manifest = defineModule({
  name: 'switches',
  dependsOn: ['accounts', 'audit', 'ledger', 'sales'],
  contract: [announcements, house, killSwitches],
  emits: ['announcement.changed', 'killSwitch.changed'],
  handles: ['announcement.changed', 'prices.changed', 'killSwitch.changed'],
  tables: {
    announcements: {
      grants: 'append',
      updates: ['ended_at'],
      personalData: {
        inPrivacyPolicyAs: 'announcements',
        onAccountDeletion: { remains: 'The operator who wrote it.' },
        inExportAs: { notExported: 'Written by operators.' },
      },
    },
    kill_switches: { grants: 'edit', personalData: SET_BY_OPERATORS },
  },
});

import * as adminAnnouncements from '@stagedoor/contract/admin/announcements.ts';
import * as adminKillSwitches from '@stagedoor/contract/admin/kill-switches.ts';
import * as siteStatus from '@stagedoor/contract/commerce/site-status.ts';
import { defineModule } from '../../../platform/module.ts';
import { SET_BY_OPERATORS } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'site-status',
  dependsOn: ['accounts', 'audit-log', 'ledger', 'sales'],
  contract: [adminAnnouncements, siteStatus, adminKillSwitches],
  emits: ['announcement.changed', 'killSwitch.changed'],
  handles: ['announcement.changed', 'prices.changed', 'killSwitch.changed'],
  provides: ['siteStatus.switchTurn'],
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

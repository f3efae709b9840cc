import * as announcements from '@stagedoor/contract/announcements-desk.ts';
import * as house from '@stagedoor/contract/house.ts';
import * as switches from '@stagedoor/contract/switches-desk.ts';
import { SET_BY_OPERATORS } from '../../kernel/personal-data.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'switches',
  above: ['accounts', 'audit', 'ledger', 'sales'],
  contract: [announcements, house, switches],
  emits: ['announcement.changed', 'switch.changed'],
  hears: ['announcement.changed', 'prices.changed', 'switch.changed'],
  tables: {
    announcements: {
      rows: 'append',
      updates: ['ended_at'],
      personalData: {
        inPrivacyPolicyAs: 'announcements',
        onAccountDeletion: { remains: 'The operator who wrote it.' },
        inExportAs: { notExported: 'Written by operators.' },
      },
    },
    switches: { rows: 'edit', personalData: SET_BY_OPERATORS },
  },
});

import * as closing from '@stagedoor/contract/closing.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'closing',
  above: ['accounts'],
  contract: [closing],
  jobs: ['closing.due', 'closing.erase'],
  tables: {
    closings: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'accountDeletion',
        onAccountDeletion: { remains: 'The record that the account was deleted.' },
        inExportAs: { notExported: 'It ends with the account.' },
      },
    },
  },
});

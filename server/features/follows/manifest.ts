import * as follows from '@stagedoor/contract/follows.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'follows',
  above: ['accounts', 'archive', 'blocks', 'closing'],
  contract: [follows],
  emits: ['follow.changed'],
  tables: {
    follows: {
      rows: 'all',
      readers: ['chat', 'earnings', 'feed', 'notifications', 'profiles'],
      personalData: { inPrivacyPolicyAs: 'fanActivity', onAccountDeletion: 'deleted', inExportAs: 'follows' },
    },
    wide_creators: {
      rows: 'append',
      personalData: {
        inPrivacyPolicyAs: 'fanActivity',
        onAccountDeletion: { remains: 'The record that the creator once had many followers.' },
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
  },
});

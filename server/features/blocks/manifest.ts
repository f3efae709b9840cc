import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'blocks',
  tables: {
    blocks: {
      rows: 'replace',
      readers: ['chat'],
      personalData: { inPrivacyPolicyAs: 'blockedUsers', onAccountDeletion: 'deleted', inExportAs: 'conversations' },
    },
  },
});

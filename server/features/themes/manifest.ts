import * as themes from '@stagedoor/contract/themes.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'themes',
  above: ['accounts', 'archive', 'closing'],
  contract: [themes],
  emits: ['theme.published'],
  tables: {
    creator_themes: {
      rows: 'all',
      readers: ['profiles'],
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'theme' },
    },
  },
});

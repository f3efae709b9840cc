import * as archive from '@stagedoor/contract/archive.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'archive',
  above: ['accounts', 'closing'],
  contract: [archive],
  emits: ['archive.ready'],
  jobs: ['archive.expire', 'archive.left', 'archive.make', 'archive.remove'],
  tables: {
    archives: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'dataExport',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'It is the export itself.' },
      },
    },
  },
});

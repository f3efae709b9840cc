import * as archive from '@stagedoor/contract/data-export.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'archive',
  dependsOn: ['accounts', 'closing'],
  contract: [archive],
  emits: ['dataExport.ready'],
  jobs: ['dataExport.purgeExpired', 'dataExport.cleanOrphans', 'dataExport.create', 'dataExport.deleteFile'],
  tables: {
    data_exports: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'dataExport',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'It is the export itself.' },
      },
    },
  },
});

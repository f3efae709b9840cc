import * as dataExport from '@stagedoor/contract/identity/data-export.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'data-export',
  dependsOn: ['accounts', 'account-deletion'],
  contract: [dataExport],
  emits: ['dataExport.ready'],
  jobs: ['dataExport.purgeExpired', 'dataExport.cleanOrphans', 'dataExport.create', 'dataExport.deleteFile'],
  provides: ['dataExport.exportPart'],
  implements: ['accountDeletion.deletionStep'],
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

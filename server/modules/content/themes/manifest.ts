import * as themes from '@stagedoor/contract/content/themes.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'themes',
  dependsOn: ['accounts', 'data-export', 'account-deletion'],
  contract: [themes],
  emits: ['theme.published'],
  handles: ['account.created'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
  tables: {
    creator_themes: {
      grants: 'all',
      readers: ['profiles'],
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'theme' },
    },
  },
});

import * as themes from '@stagedoor/contract/themes.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'themes',
  dependsOn: ['accounts', 'archive', 'closing'],
  contract: [themes],
  emits: ['theme.published'],
  tables: {
    creator_themes: {
      grants: 'all',
      readers: ['profiles'],
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'theme' },
    },
  },
});

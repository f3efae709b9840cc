import * as publishing from '@stagedoor/contract/publishing.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'publishing',
  dependsOn: ['accounts', 'archive', 'closing', 'ledger', 'media', 'posts', 'sales'],
  contract: [publishing],
  emits: ['draft.failed'],
  jobs: ['drafts.publish'],
  tables: {
    draft_media: { grants: 'replace', personalData: { inPrivacyPolicyAs: 'publishedContent' } },
    drafts: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'publishedContent', onAccountDeletion: 'deleted', inExportAs: 'drafts' },
    },
  },
});

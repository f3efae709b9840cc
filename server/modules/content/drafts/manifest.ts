import * as drafts from '@stagedoor/contract/content/drafts.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'drafts',
  dependsOn: ['accounts', 'data-export', 'account-deletion', 'ledger', 'media', 'posts', 'sales', 'subscription-tiers'],
  contract: [drafts],
  emits: ['draft.failed'],
  handles: ['subscriptionTier.deleted'],
  jobs: ['drafts.publish'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart', 'media.deletionGuard', 'media.mediaUseReader'],
  tables: {
    draft_media: { grants: 'replace', personalData: { inPrivacyPolicyAs: 'publishedContent' } },
    drafts: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'publishedContent', onAccountDeletion: 'deleted', inExportAs: 'drafts' },
    },
  },
});

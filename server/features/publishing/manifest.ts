import * as publishing from '@stagedoor/contract/publishing.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'publishing',
  above: ['accounts', 'archive', 'closing', 'ledger', 'media', 'posts', 'sales'],
  contract: [publishing],
  emits: ['draft.failed'],
  jobs: ['drafts.publish'],
  tables: {
    draft_media: { rows: 'replace', personalData: { inPrivacyPolicyAs: 'publishedContent' } },
    drafts: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'publishedContent', onAccountDeletion: 'deleted', inExportAs: 'drafts' },
    },
  },
});

import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'blocks',
  tables: {
    blocks: {
      grants: 'replace',
      readers: ['chat'],
      personalData: { inPrivacyPolicyAs: 'blockedUsers', onAccountDeletion: 'deleted', inExportAs: 'conversations' },
    },
  },
});

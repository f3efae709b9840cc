import * as feed from '@stagedoor/contract/content/feed.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'feed',
  dependsOn: ['follows', 'posts'],
  contract: [feed],
  handles: ['follow.changed', 'post.published', 'post.removed', 'post.restored'],
  tables: {
    timelines: {
      grants: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'fanActivity',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Posts of other users.' },
      },
    },
  },
});

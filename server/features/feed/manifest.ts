import * as feed from '@stagedoor/contract/feed.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'feed',
  above: ['follows', 'posts'],
  contract: [feed],
  hears: ['follow.changed', 'post.published', 'post.removed', 'post.restored'],
  tables: {
    timelines: {
      rows: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'fanActivity',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Posts of other users.' },
      },
    },
  },
});

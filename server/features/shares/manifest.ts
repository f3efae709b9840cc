import * as shares from '@stagedoor/contract/shares.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'shares',
  above: ['blocks', 'media', 'posts', 'profiles', 'statements', 'themes'],
  contract: [shares],
  hears: ['account.blocked', 'post.changed', 'post.removed', 'profile.changed', 'theme.published'],
  tables: {
    share_pictures: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
  },
});

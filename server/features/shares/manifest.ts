import * as shares from '@stagedoor/contract/og-images.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'shares',
  dependsOn: ['blocks', 'media', 'posts', 'profiles', 'statements', 'themes'],
  contract: [shares],
  handles: ['account.blocked', 'post.changed', 'post.removed', 'profile.changed', 'theme.published'],
  tables: {
    og_images: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
  },
});

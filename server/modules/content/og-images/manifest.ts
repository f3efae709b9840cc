import * as ogImages from '@stagedoor/contract/content/og-images.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'og-images',
  dependsOn: ['blocks', 'media', 'posts', 'profiles', 'themes'],
  contract: [ogImages],
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

import * as follows from '@stagedoor/contract/follows.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'follows',
  dependsOn: ['accounts', 'archive', 'blocks', 'closing'],
  contract: [follows],
  emits: ['follow.changed'],
  tables: {
    follows: {
      grants: 'all',
      readers: ['chat', 'earnings', 'feed', 'notifications', 'profiles'],
      personalData: { inPrivacyPolicyAs: 'fanActivity', onAccountDeletion: 'deleted', inExportAs: 'follows' },
    },
    fan_out_on_read_creators: {
      grants: 'append',
      personalData: {
        inPrivacyPolicyAs: 'fanActivity',
        onAccountDeletion: { remains: 'The record that the creator once had many followers.' },
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
  },
});

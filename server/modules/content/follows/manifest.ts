import * as follows from '@stagedoor/contract/content/follows.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'follows',
  dependsOn: ['accounts', 'data-export', 'blocks', 'account-deletion'],
  contract: [follows],
  emits: ['follow.changed'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
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

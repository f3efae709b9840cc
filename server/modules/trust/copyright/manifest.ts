import * as copyright from '@stagedoor/contract/trust/copyright.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'copyright',
  dependsOn: ['accounts', 'data-export', 'moderation'],
  contract: [copyright],
  emits: ['case.answered'],
  jobs: ['copyright.deleteContacts', 'copyright.processCounterNotices'],
  implements: ['dataExport.exportPart', 'moderation.copyrightHook'],
  tables: {
    copyright_counter_notices: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'copyrightNotices',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'copyright',
      },
    },
    copyright_notices: { grants: 'edit', personalData: { inPrivacyPolicyAs: 'copyrightNotices' } },
  },
});

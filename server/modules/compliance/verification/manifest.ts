import * as verification from '@stagedoor/contract/compliance/verification.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'verification',
  dependsOn: ['accounts', 'audit-log', 'media', 'profiles', 'sales'],
  contract: [verification],
  emits: ['verification.changed'],
  jobs: ['verification.purgeExpired'],
  implements: ['sales.sellerEligibility'],
  tables: {
    verifications: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'identityVerification',
        onAccountDeletion: { remains: 'Encrypted, for as long as the law requires.' },
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
    verification_documents: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'identityVerification',
        onAccountDeletion: { remains: 'Encrypted, for as long as the law requires.' },
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
  },
});

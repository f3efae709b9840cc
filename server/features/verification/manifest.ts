import * as verification from '@stagedoor/contract/verification.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'verification',
  above: ['accounts', 'audit', 'media', 'profiles', 'sales'],
  contract: [verification],
  emits: ['verification.changed'],
  jobs: ['verification.forget'],
  tables: {
    verifications: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'identityVerification',
        onAccountDeletion: { remains: 'Encrypted, for as long as the law requires.' },
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
    verification_documents: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'identityVerification',
        onAccountDeletion: { remains: 'Encrypted, for as long as the law requires.' },
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
  },
});

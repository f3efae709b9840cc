import * as adminCases from '@stagedoor/contract/admin/cases.ts';
import * as moderation from '@stagedoor/contract/trust/moderation.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'moderation',
  dependsOn: [
    'accounts',
    'data-export',
    'audit-log',
    'calls',
    'chat',
    'account-deletion',
    'entitlements',
    'media',
    'approvals',
    'posts',
    'profiles',
    'sales',
  ],
  contract: [moderation, adminCases],
  emits: ['case.answered', 'case.copied', 'case.decided'],
  handles: ['media.copyTakenDown'],
  jobs: ['moderation.purgeExpired', 'moderation.restorePictures'],
  provides: ['moderation.copyrightHook'],
  implements: [
    'accountDeletion.deletionStep',
    'dataExport.exportPart',
    'media.fileGrant',
    'media.mediaGrant',
    'approvals.approvalHandler',
  ],
  tables: {
    case_decisions: {
      grants: 'append',
      readers: ['copyright'],
      updates: ['undo_reason', 'undone_at', 'undone_by'],
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'decisions',
      },
    },
    case_entries: {
      grants: 'append',
      readers: ['copyright'],
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'help',
      },
    },
    evidence_views: { grants: 'all', personalData: { inPrivacyPolicyAs: 'supportAndReports' } },
    case_pictures: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Evidence; copies of files that the user has.' },
      },
    },
    case_profile_snapshots: { grants: 'replace', personalData: { inPrivacyPolicyAs: 'reportedProfiles' } },
    cases: {
      grants: 'edit',
      readers: ['copyright', 'support'],
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'help',
      },
    },
  },
});

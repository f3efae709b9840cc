import * as adminCannedResponses from '@stagedoor/contract/admin/canned-responses.ts';
import * as adminCases from '@stagedoor/contract/admin/cases.ts';
import * as cases from '@stagedoor/contract/trust/cases.ts';
import * as copyright from '@stagedoor/contract/trust/copyright.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'cases',
  dependsOn: [
    'accounts',
    'data-export',
    'audit-log',
    'calls',
    'chat',
    'account-deletion',
    'entitlements',
    'ledger',
    'media',
    'staff',
    'posts',
    'profiles',
    'sales',
  ],
  contract: [cases, adminCases, copyright, adminCannedResponses],
  emits: ['case.answered', 'case.copied', 'case.decided'],
  handles: ['media.copyTakenDown'],
  jobs: ['cases.processCounterNotices', 'cases.purgeExpired', 'cases.restorePictures'],
  implements: [
    'accountDeletion.deletionStep',
    'dataExport.exportPart',
    'media.fileGrant',
    'media.mediaGrant',
    'staff.approvalHandler',
  ],
  tables: {
    case_decisions: {
      grants: 'append',
      updates: ['undo_reason', 'undone_at', 'undone_by'],
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'decisions',
      },
    },
    case_entries: {
      grants: 'append',
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
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'help',
      },
    },
    copyright_counter_notices: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'copyrightNotices',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'help',
      },
    },
    copyright_notices: { grants: 'edit', personalData: { inPrivacyPolicyAs: 'copyrightNotices' } },
    canned_responses: { grants: 'all', personalData: { none: 'Texts written by operators.' } },
  },
});

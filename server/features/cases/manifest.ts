import * as cases from '@stagedoor/contract/cases.ts';
import * as casesDesk from '@stagedoor/contract/cases-desk.ts';
import * as copyright from '@stagedoor/contract/copyright.ts';
import * as savedAnswers from '@stagedoor/contract/saved-answers.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'cases',
  above: [
    'accounts',
    'archive',
    'audit',
    'calls',
    'chat',
    'closing',
    'entitlements',
    'ledger',
    'media',
    'operators',
    'posts',
    'profiles',
    'sales',
  ],
  contract: [cases, casesDesk, copyright, savedAnswers],
  emits: ['case.answered', 'case.copied', 'case.decided'],
  hears: ['media.copyWithheld'],
  jobs: ['cases.counters', 'cases.forget', 'cases.givePicturesBack'],
  tables: {
    case_decisions: {
      rows: 'append',
      updates: ['undo_ground', 'undone_at', 'undone_by'],
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'decisions',
      },
    },
    case_entries: {
      rows: 'append',
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'help',
      },
    },
    case_looks: { rows: 'all', personalData: { inPrivacyPolicyAs: 'supportAndReports' } },
    case_pictures: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Evidence; copies of files that the user has.' },
      },
    },
    case_profiles: { rows: 'replace', personalData: { inPrivacyPolicyAs: 'reportedProfiles' } },
    cases: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'supportAndReports',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'help',
      },
    },
    copyright_counters: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'copyrightNotices',
        onAccountDeletion: { remains: 'Proof of what was decided; what identified the person is removed.' },
        inExportAs: 'help',
      },
    },
    copyright_notices: { rows: 'edit', personalData: { inPrivacyPolicyAs: 'copyrightNotices' } },
    saved_answers: { rows: 'all', personalData: { none: 'Texts written by operators.' } },
  },
});

/** Cases: what people say is wrong, and what is decided about it. */
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
    case_decisions: { rows: 'append', updates: ['undo_ground', 'undone_at', 'undone_by'] },
    case_entries: { rows: 'append' },
    case_looks: { rows: 'all' },
    case_pictures: { rows: 'all' },
    case_profiles: { rows: 'replace' },
    cases: { rows: 'edit' },
    copyright_counters: { rows: 'edit' },
    copyright_notices: { rows: 'edit' },
    saved_answers: { rows: 'all' },
  },
});

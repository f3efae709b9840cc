import * as team from '@stagedoor/contract/team.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'team',
  above: ['accounts', 'archive', 'blocks', 'closing'],
  contract: [team],
  emits: ['team.joined'],
  hears: ['chat.blocked'],
  jobs: ['team.purge'],
  tables: {
    team_acts: {
      rows: 'append',
      personalData: {
        inPrivacyPolicyAs: 'teams',
        onAccountDeletion: { remains: 'Who did what for which creator, by account id.' },
        inExportAs: 'team',
      },
    },
    team_invitations: {
      rows: 'replace',
      personalData: { inPrivacyPolicyAs: 'teams', onAccountDeletion: 'deleted', inExportAs: 'team' },
    },
    team_members: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'teams', onAccountDeletion: 'deleted', inExportAs: 'team' },
    },
  },
});

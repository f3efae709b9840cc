import * as team from '@stagedoor/contract/team.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'team',
  dependsOn: ['accounts', 'archive', 'blocks', 'closing'],
  contract: [team],
  emits: ['team.joined'],
  handles: ['chat.blocked'],
  jobs: ['team.purge'],
  tables: {
    team_actions: {
      grants: 'append',
      personalData: {
        inPrivacyPolicyAs: 'teams',
        onAccountDeletion: { remains: 'Who did what for which creator, by account id.' },
        inExportAs: 'team',
      },
    },
    team_invitations: {
      grants: 'replace',
      personalData: { inPrivacyPolicyAs: 'teams', onAccountDeletion: 'deleted', inExportAs: 'team' },
    },
    team_members: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'teams', onAccountDeletion: 'deleted', inExportAs: 'team' },
    },
  },
});

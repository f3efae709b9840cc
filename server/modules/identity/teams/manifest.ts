import * as teams from '@stagedoor/contract/identity/teams.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'teams',
  dependsOn: ['accounts', 'data-export', 'blocks', 'account-deletion'],
  contract: [teams],
  emits: ['team.joined'],
  handles: ['chat.blocked'],
  jobs: ['teams.purge'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart', 'platform.teamDelegation'],
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

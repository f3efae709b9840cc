import * as closing from '@stagedoor/contract/account-deletion.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'closing',
  dependsOn: ['accounts'],
  contract: [closing],
  jobs: ['accountDeletion.startDue', 'accountDeletion.erase'],
  tables: {
    account_deletions: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'accountDeletion',
        onAccountDeletion: { remains: 'The record that the account was deleted.' },
        inExportAs: { notExported: 'It ends with the account.' },
      },
    },
  },
});

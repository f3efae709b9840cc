import * as accountDeletion from '@stagedoor/contract/identity/account-deletion.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'account-deletion',
  dependsOn: ['accounts'],
  contract: [accountDeletion],
  jobs: ['accountDeletion.startDue', 'accountDeletion.erase'],
  provides: ['accountDeletion.deletionStep'],
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

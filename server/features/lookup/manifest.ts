import * as things from '@stagedoor/contract/admin-content.ts';
import * as lookup from '@stagedoor/contract/admin-search.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'lookup',
  dependsOn: [
    'accounts',
    'audit',
    'blocks',
    'calls',
    'cases',
    'entitlements',
    'ledger',
    'ledger-desk',
    'payments',
    'payouts',
    'posts',
    'sales',
    'verification',
  ],
  contract: [lookup, things],
});

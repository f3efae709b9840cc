import * as adminContent from '@stagedoor/contract/admin/content.ts';
import * as adminSearch from '@stagedoor/contract/admin/search.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'search',
  dependsOn: [
    'accounts',
    'audit-log',
    'blocks',
    'calls',
    'deposits',
    'entitlements',
    'ledger',
    'ledger-explorer',
    'moderation',
    'payouts',
    'posts',
    'sales',
    'verification',
  ],
  contract: [adminSearch, adminContent],
});

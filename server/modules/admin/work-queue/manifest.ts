import * as adminWorkQueue from '@stagedoor/contract/admin/work-queue.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'work-queue',
  dependsOn: [
    'approvals',
    'calls',
    'debts',
    'deposits',
    'ledger',
    'ledger-checks',
    'legal',
    'moderation',
    'payouts',
    'push',
    'reconciliation',
    'staff',
    'verification',
  ],
  contract: [adminWorkQueue],
});

import * as adminWorkQueue from '@stagedoor/contract/admin/work-queue.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'work-queue',
  dependsOn: [
    'calls',
    'cases',
    'ledger',
    'ledger-checks',
    'notifications',
    'staff',
    'payments',
    'payouts',
    'legal',
    'verification',
  ],
  contract: [adminWorkQueue],
});

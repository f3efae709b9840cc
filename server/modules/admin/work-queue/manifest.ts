import * as adminWorkQueue from '@stagedoor/contract/admin/work-queue.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'work-queue',
  dependsOn: [
    'calls',
    'ledger',
    'ledger-checks',
    'legal',
    'moderation',
    'notifications',
    'staff',
    'payments',
    'payouts',
    'verification',
  ],
  contract: [adminWorkQueue],
});

import * as desk from '@stagedoor/contract/admin-work-queue.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'desk',
  dependsOn: [
    'calls',
    'cases',
    'ledger',
    'notifications',
    'operators',
    'payments',
    'payouts',
    'policies',
    'verification',
  ],
  contract: [desk],
});

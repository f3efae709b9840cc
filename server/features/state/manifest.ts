import * as state from '@stagedoor/contract/admin-system-status.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'state',
  dependsOn: ['audit', 'calls', 'payments'],
  contract: [state],
  jobs: ['systemStatus.purgeExpired'],
});

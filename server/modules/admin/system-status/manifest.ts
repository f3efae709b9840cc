import * as adminSystemStatus from '@stagedoor/contract/admin/system-status.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'system-status',
  dependsOn: ['audit-log', 'calls', 'deposits', 'reconciliation'],
  contract: [adminSystemStatus],
  jobs: ['systemStatus.purgeExpired'],
});

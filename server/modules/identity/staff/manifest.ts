import * as adminStaff from '@stagedoor/contract/admin/staff.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'staff',
  dependsOn: ['accounts', 'audit-log', 'ledger'],
  contract: [adminStaff],
  emits: ['operators.changed'],
  handles: ['account.secured', 'operators.changed'],
});

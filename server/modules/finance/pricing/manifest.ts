import * as adminFees from '@stagedoor/contract/admin/fees.ts';
import * as adminPriceLimits from '@stagedoor/contract/admin/price-limits.ts';
import * as adminSettingApprovals from '@stagedoor/contract/admin/setting-approvals.ts';
import * as pricing from '@stagedoor/contract/finance/pricing.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'pricing',
  dependsOn: ['accounts', 'affiliates', 'audit-log', 'payouts', 'sales', 'staff'],
  contract: [adminFees, adminPriceLimits, adminSettingApprovals, pricing],
  emits: ['fees.changed'],
});

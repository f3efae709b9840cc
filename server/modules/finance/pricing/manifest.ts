import * as adminFees from '@stagedoor/contract/admin/fees.ts';
import * as adminPriceLimits from '@stagedoor/contract/admin/price-limits.ts';
import * as pricing from '@stagedoor/contract/finance/pricing.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'pricing',
  dependsOn: ['accounts', 'affiliates', 'approvals', 'audit-log', 'payouts', 'sales', 'subscription-tiers'],
  contract: [adminFees, adminPriceLimits, pricing],
  emits: ['fees.changed'],
  implements: ['approvals.guardedSetting'],
});

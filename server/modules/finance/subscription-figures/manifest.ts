import * as figures from '@stagedoor/contract/finance/subscription-figures.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'subscription-figures',
  dependsOn: ['accounts', 'entitlements', 'sales', 'subscription-tiers', 'subscriptions'],
  contract: [figures],
});

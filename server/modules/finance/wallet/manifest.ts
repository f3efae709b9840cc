import * as wallet from '@stagedoor/contract/finance/wallet.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'wallet',
  dependsOn: [
    'account-deletion',
    'accounts',
    'blocks',
    'debts',
    'deposits',
    'ledger',
    'payouts',
    'posts',
    'sales',
    'subscriptions',
  ],
  contract: [wallet],
  handles: [
    'account.blocked',
    'debt.changed',
    'deposit.changed',
    'hold.changed',
    'hold.expired',
    'sale.made',
    'sale.refunded',
  ],
  provides: ['wallet.callFinder', 'wallet.callFunds', 'wallet.tipGuard'],
  implements: ['accountDeletion.deletionStep'],
});

import { PATHS } from '@stagedoor/contract/addresses.ts';
import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import { createLazyListener, createListener, type FeatureModule } from '../../kernel/module.ts';
import { updateBalance } from '../../kernel/session.ts';

const LISTS = ['/customer/wallet', '/customer/transaction-history', '/customer/deposite-history'];

export const featureModule: FeatureModule = {
  nav: { customer: [{ order: 50, href: PATHS.fanWallet, label: 'Wallet', icon: 'wallet' }] },
  live: [
    createListener(balanceChanged, (client, balance) => {
      updateBalance(client, balance);
      for (const path of LISTS) void client.invalidateQueries({ queryKey: [`GET ${path}`] });
    }),
    createLazyListener(async () => (await import('./debt-listener.ts')).debtListener),
  ],
};

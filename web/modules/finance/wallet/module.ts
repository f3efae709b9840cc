import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { createLazyListener, createListener, type FeatureModule } from '../../../platform/module.ts';
import { updateBalance } from '../../../platform/session.ts';
import * as texts from './texts.ts';

const LISTS = ['/customer/wallet', '/customer/transaction-history', '/customer/deposite-history'];

export const featureModule: FeatureModule = {
  nav: { customer: [{ order: 50, href: PATHS.fanWallet, label: texts.wallet, icon: 'wallet' }] },
  live: [
    createListener(balanceChanged, (client, balance) => {
      updateBalance(client, balance);
      for (const path of LISTS) void client.invalidateQueries({ queryKey: [`GET ${path}`] });
    }),
    createLazyListener(async () => (await import('./debt-listener.ts')).listenForDebts),
  ],
};

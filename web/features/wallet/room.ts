import { PATHS } from '@stagedoor/contract/addresses.ts';
import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import { hear, lazyListener, type Room } from '../../kernel/room.ts';
import { takeBalance } from '../../kernel/session.ts';

const LISTS = ['/customer/wallet', '/customer/transaction-history', '/customer/deposite-history'];

export const room: Room = {
  nav: { customer: [{ order: 50, href: PATHS.fanWallet, label: 'Wallet', icon: 'wallet' }] },
  live: [
    hear(balanceChanged, (client, balance) => {
      takeBalance(client, balance);
      for (const path of LISTS) void client.invalidateQueries({ queryKey: [`GET ${path}`] });
    }),
    lazyListener(async () => (await import('./debt-live.ts')).debtLive),
  ],
};

/** What a changed balance does to the wallet as shown. Pure, so that tests can hold it to a refetch. */
import type { Wallet } from '@stagedoor/contract/wallet.ts';

/** The event names what may be spent; what is held and what was spent today are asked for again. */
export function withBalance(wallet: Wallet, deposit: number): Wallet {
  return wallet.available === deposit ? wallet : { ...wallet, available: deposit };
}

import { receiptPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Transaction } from '@stagedoor/contract/wallet.ts';

export const receiptHref = (id: string) => receiptPath(id);

type Moved = Pick<Transaction, 'amount' | 'owed'> & { type?: Transaction['type'] };

export function amountWord({ amount, owed, type }: Moved) {
  if (type === 'debt') return owed > 0 ? 'Owed' : 'Paid off';
  if (type === 'hold') return 'Held';
  // A call is charged from the held amount. The movement at its end is the released remainder.
  if (type === 'release' || (type === 'call' && amount > 0)) return 'Released';
  if (type === 'call') return 'Paid';
  if (amount === 0) return 'Free';
  return amount < 0 ? 'Paid' : 'Received';
}

/** Returns the signed amount. An amount that moved from the balance to the debt has no sign. */
export function amountText({ amount, owed }: Moved): string {
  return amount === 0 && owed !== 0 ? formatUsd(Math.abs(owed)) : formatUsd(amount, { sign: true });
}

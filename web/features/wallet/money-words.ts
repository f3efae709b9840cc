/** What is said of a movement's sum: its sign, and the word that says what the sign means. */
import { receiptPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Transaction } from '@stagedoor/contract/wallet.ts';

export const receiptHref = (id: string) => receiptPath(id);

type Moved = Pick<Transaction, 'amount' | 'owed'> & { type?: Transaction['type'] };

/** What the sign means. */
export function amountWord({ amount, owed, type }: Moved) {
  if (type === 'debt') return owed > 0 ? 'Owed' : 'Settled';
  if (type === 'hold') return 'Held';
  // A call is charged from what was held: what moves at its end is the rest, which comes back.
  if (type === 'release' || (type === 'call' && amount > 0)) return 'Released';
  if (type === 'call') return 'Paid';
  if (amount === 0) return 'Free';
  return amount < 0 ? 'Paid' : 'Received';
}

/** The sum of a movement: with its sign, or of what went from the balance to what is owed, which has none. */
export function amountText({ amount, owed }: Moved): string {
  return amount === 0 && owed !== 0 ? formatUsd(Math.abs(owed)) : formatUsd(amount, { sign: true });
}

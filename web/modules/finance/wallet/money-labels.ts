import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { receiptPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';

export const toReceiptHref = (id: string) => receiptPath(id);

type Movement = Pick<WalletTransaction, 'amount' | 'owed'> & { type?: WalletTransaction['type'] };

export function toMovementLabel({ amount, owed, type }: Movement) {
  if (type === 'debt') return owed > 0 ? 'Owed' : 'Paid off';
  if (type === 'hold') return 'Held';
  // A call is charged from the held amount. The movement at its end is the released remainder.
  if (type === 'release' || (type === 'call' && amount > 0)) return 'Released';
  if (type === 'call') return 'Paid';
  if (amount === 0) return 'Free';
  return amount < 0 ? 'Paid' : 'Received';
}

/** Returns the signed amount. An amount that moved from the balance to the debt has no sign. */
export function formatMovement({ amount, owed }: Movement): string {
  return amount === 0 && owed !== 0 ? formatUsd(Math.abs(owed)) : formatUsd(amount, { sign: true });
}

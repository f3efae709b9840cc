import type { Store } from '../../kernel/storage.ts';

const KEY = 'deposit';

export interface DepositMemory {
  depositId: string;
  next: string | undefined;
}

/** Stored until the next deposit. Without storage the user returns to the wallet. */
export function keepDeposit(session: Store, memory: DepositMemory): void {
  try {
    session.setItem(KEY, JSON.stringify(memory));
  } catch {}
}

export function keptDeposit(session: Store): DepositMemory | undefined {
  try {
    const value: unknown = JSON.parse(session.getItem(KEY) ?? 'null');
    if (typeof value !== 'object' || value === null || !('depositId' in value) || typeof value.depositId !== 'string')
      return undefined;
    return {
      depositId: value.depositId,
      next: 'next' in value && typeof value.next === 'string' ? value.next : undefined,
    };
  } catch {
    return undefined;
  }
}

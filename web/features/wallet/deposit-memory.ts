/** What this tab remembers while the person is away on the card processor's page: which deposit, and where to go afterwards. */
import type { Store } from '../../kernel/storage.ts';

const KEY = 'deposit';

export interface DepositMemory {
  depositId: string;
  /** The page that sent them to add funds, e.g. a post. */
  next: string | undefined;
}

/** Keeps it until the next deposit. Where storage is forbidden nothing is kept, and the way back leads to the wallet. */
export function keepDeposit(session: Store, memory: DepositMemory): void {
  try {
    session.setItem(KEY, JSON.stringify(memory));
  } catch {
    // The return page works without.
  }
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

import type { KeyValueStore } from './browser-storage.ts';

const STORAGE_KEY = 'deposit';

export interface DepositMemory {
  depositId: string;
  next: string | undefined;
}

/** Stored until the next deposit. If storage is forbidden, the user returns to the wallet. */
export function saveDepositMemory(session: KeyValueStore, memory: DepositMemory): void {
  session.setItem(STORAGE_KEY, JSON.stringify(memory));
}

export function findDepositMemory(session: KeyValueStore): DepositMemory | undefined {
  try {
    const value: unknown = JSON.parse(session.getItem(STORAGE_KEY) ?? 'null');
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

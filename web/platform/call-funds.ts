/**
 * What the viewer can still spend in their running call with a creator, including the money that is held for it. The call
 * publishes it, and every form that can use it, such as a tip, reads it.
 */
import type { SpendingBound } from '@stagedoor/contract/commerce/spending-bounds.ts';
import { useSyncExternalStore } from 'react';

/** `usd` is all that can be spent, `bound` what the limits leave of it. */
export type CallFunds = { creatorId: string; usd: number; bound: SpendingBound | null };

let current: CallFunds | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function setCallFunds(funds: CallFunds | undefined): void {
  current = funds;
  for (const listener of listeners) listener();
}

/** Undefined without a call with this creator. */
export function useCallFunds(creatorId: string): CallFunds | undefined {
  return useSyncExternalStore(
    subscribe,
    () => (current?.creatorId === creatorId ? current : undefined),
    () => undefined,
  );
}

/** Whether a call runs in this tab. A page that the tab leaves for another document would end it. */
import { useSyncExternalStore } from 'react';

let isRunning = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function setCallRunning(isNowRunning: boolean): void {
  if (isRunning === isNowRunning) return;
  isRunning = isNowRunning;
  for (const listener of listeners) listener();
}

export function useIsCallRunning(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isRunning,
    () => false,
  );
}

/** The attributes of a link that leads away from this page: during a call it opens in a new tab. */
export function useLeavingLinkProps(): { target?: '_blank' } {
  return useIsCallRunning() ? { target: '_blank' } : {};
}

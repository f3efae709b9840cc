import { useSyncExternalStore } from 'react';
import { subscribeToNothing } from './subscribe-to-nothing.ts';

/** False while the page is rendered on the server, and in browsers without script. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

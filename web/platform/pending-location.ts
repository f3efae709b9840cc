import { useContext, useSyncExternalStore } from 'react';
import { type Location, UNSAFE_DataRouterContext, useLocation } from 'react-router';
import { subscribeToNothing } from '../ui/subscribe-to-nothing.ts';

/** Returns the pending address, else the current one. It may be ahead of `useLocation` and `useMatches`. */
export function usePendingLocation(): Location {
  const currentLocation = useLocation();
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  return useSyncExternalStore(
    router ? router.subscribe : subscribeToNothing,
    () => router?.state.navigation.location ?? router?.state.location ?? currentLocation,
    () => currentLocation,
  );
}

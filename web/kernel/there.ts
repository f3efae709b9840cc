/** Where a tap leads, from the tap on. The router tells React of it as a transition, which a busy phone puts off; this is told at once. */
import { useContext, useSyncExternalStore } from 'react';
import { type Location, UNSAFE_DataRouterContext, useLocation } from 'react-router';

const never = () => () => undefined;

/** The address that is on its way, else the present one. It may be ahead of `useLocation` and `useMatches`. */
export function useThere(): Location {
  const here = useLocation();
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  return useSyncExternalStore(
    router ? router.subscribe : never,
    () => router?.state.navigation.location ?? router?.state.location ?? here,
    () => here,
  );
}

/** What the house says, as the document was told it or as this tab has asked since (follow-house.ts): what is stopped, maintenance, announcements. */
import type { SwitchName } from '@stagedoor/contract/atoms/switches.ts';
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import { useSyncExternalStore } from 'react';
import { useRouteLoaderData } from 'react-router';

let told: HouseSaid | undefined;
const listeners = new Set<() => void>();
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** From now on this holds. */
export function takeHouse(house: HouseSaid): void {
  told = house;
  for (const listener of listeners) listener();
}

/** What it says now. */
export function useHouse(): HouseSaid | undefined {
  const first = useRouteLoaderData<() => HouseSaid>('root');
  return (
    useSyncExternalStore(
      listen,
      () => told,
      () => undefined,
    ) ?? first
  );
}

/** The words for it while it is stopped: whoever would be refused is told before they press. */
export const useStopped = (name: SwitchName): string | undefined => useHouse()?.stopped?.[name];

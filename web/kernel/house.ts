/**
 * The site status: kill switches, maintenance and announcements, from the document or from a later update (see
 * follow-house.ts).
 */
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

export function takeHouse(house: HouseSaid): void {
  told = house;
  for (const listener of listeners) listener();
}

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

/** Returns the message of an active kill switch, so that users see it before they press. */
export const useStopped = (name: SwitchName): string | undefined => useHouse()?.stopped?.[name];

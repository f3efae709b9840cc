/** The time zone of this browser, which the server does not know. */
import { useSyncExternalStore } from 'react';
import { subscribeToNothing } from './subscribe-to-nothing.ts';

export function getOwnZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Undefined on the server and in the first render of a page. */
export function useOwnZone(): string | undefined {
  return useSyncExternalStore<string | undefined>(subscribeToNothing, getOwnZone, () => undefined);
}

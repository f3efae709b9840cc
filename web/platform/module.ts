/**
 * The manifest of a feature module for the shell: navigation entries and live listeners. It loads with every page, so
 * larger code belongs in {@link createLazyListener}.
 */
import type { UserType, Viewer } from '@stagedoor/contract/identity/accounts.ts';
import type { EventSpec, PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { NavItem } from '../ui/shell.tsx';
import { runWhenIdle } from './idle.ts';
import { loadWhenReachable } from './lazy-part.ts';
import { onEvent } from './socket-events.ts';

export type NavEntry = Omit<NavItem, 'badge'> & {
  /** The position among the entries of all modules, lowest first. */
  readonly order: number;
  readonly Badge?: ComponentType;
};

/** Starts listening for the current user once the page is hydrated. Returns the function that stops it. */
export type LiveListener = (client: QueryClient, viewer: Pick<Viewer, 'id' | 'type'>) => () => void;

export type FeatureModule = {
  readonly nav?: Partial<Record<UserType, readonly NavEntry[]>>;
  /** The widget next to the balance in the shell. Only one module may provide it per role. */
  readonly widget?: Partial<Record<UserType, ComponentType>>;
  /** Loads the data of the badges before the first page. Errors leave the badges out. */
  readonly load?: (client: QueryClient, type: UserType) => Promise<void>;
  readonly live?: readonly LiveListener[];
};

export function createListener<E extends EventSpec>(
  event: E,
  reduce: (client: QueryClient, payload: PayloadOf<E>) => void,
): LiveListener {
  return (client) => onEvent(event, (payload) => reduce(client, payload));
}

/** Settled ones stay. There are a few per login. */
const lazyListeners: Promise<void>[] = [];

/**
 * Resolves once every lazy listener listens, or could not be loaded. The socket opens after that, so that no event
 * arrives before its listener.
 */
export async function waitForListeners(): Promise<void> {
  await Promise.all(lazyListeners);
}

/** A listener whose code loads when the browser is idle and the server is reachable. */
export function createLazyListener(load: () => Promise<LiveListener>): LiveListener {
  return (client, viewer) => {
    let isStopped = false;
    let stop = (): void => undefined;
    let settle = (): void => undefined;
    lazyListeners.push(
      new Promise((resolve) => {
        settle = resolve;
      }),
    );
    const start = async () => {
      try {
        const listen = await loadWhenReachable(load);
        if (!isStopped) stop = listen(client, viewer);
      } finally {
        settle();
      }
    };
    const cancel = runWhenIdle(() => void start());
    return () => {
      isStopped = true;
      cancel();
      settle();
      stop();
    };
  };
}

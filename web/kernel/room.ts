/**
 * The manifest of a feature module for the shell: navigation entries and live listeners. It loads with every page, so
 * larger code belongs in {@link lazyListener}.
 */
import type { UserType, Viewer } from '@stagedoor/contract/accounts.ts';
import type { EventSpec, PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { NavItem } from '../ui/shell.tsx';
import { whenIdle } from './idle.ts';
import { whenReachable } from './lazy-part.ts';
import { onEvent } from './live.ts';

export type NavEntry = Omit<NavItem, 'badge'> & {
  /** The position among the entries of all modules, lowest first. */
  readonly order: number;
  readonly Badge?: ComponentType;
};

/** Starts listening for the current user once the page is hydrated. Returns the function that stops it. */
export type Listener = (client: QueryClient, viewer: Pick<Viewer, 'id' | 'type'>) => () => void;

export type Room = {
  readonly nav?: Partial<Record<UserType, readonly NavEntry[]>>;
  /** The widget next to the balance in the shell. Only one module may provide it per role. */
  readonly widget?: Partial<Record<UserType, ComponentType>>;
  /** Loads the data of the badges before the first page. Errors leave the badges out. */
  readonly load?: (client: QueryClient, type: UserType) => Promise<void>;
  readonly live?: readonly Listener[];
};

export function hear<E extends EventSpec>(
  event: E,
  reduce: (client: QueryClient, payload: PayloadOf<E>) => void,
): Listener {
  return (client) => onEvent(event, (payload) => reduce(client, payload));
}

/** A listener whose code loads when the browser is idle and the server is reachable. */
export function lazyListener(load: () => Promise<Listener>): Listener {
  return (client, viewer) => {
    let isGone = false;
    let stop = (): void => undefined;
    const begin = async () => {
      const listen = await whenReachable(load);
      if (!isGone) stop = listen(client, viewer);
    };
    const cancel = whenIdle(() => void begin());
    return () => {
      isGone = true;
      cancel();
      stop();
    };
  };
}

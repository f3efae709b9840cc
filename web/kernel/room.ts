/**
 * What a feature says of itself to the shell, once, in its `room.ts`: its entries of the navigation, and what it hears on
 * whatever page one is. It is loaded with every page: what weighs something comes by {@link lazyListener}.
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
  /** Its place among the entries of all rooms, the lowest first. */
  readonly order: number;
  /** What stands at its end, such as how much is unread. */
  readonly Badge?: ComponentType;
};

/** Begins to listen for whoever is here, as soon as their page is alive. Answers the function that stops it. */
export type Listener = (client: QueryClient, viewer: Pick<Viewer, 'id' | 'type'>) => () => void;

export type Room = {
  readonly nav?: Partial<Record<UserType, readonly NavEntry[]>>;
  /** What stands beside the figure of the shell; one room has it for a role. */
  readonly widget?: Partial<Record<UserType, ComponentType>>;
  /** Asks for what its badges show, before the first page. A failure leaves them out. */
  readonly load?: (client: QueryClient, type: UserType) => Promise<void>;
  readonly live?: readonly Listener[];
};

/** Brings every such event into the cache. */
export function hear<E extends EventSpec>(
  event: E,
  reduce: (client: QueryClient, payload: PayloadOf<E>) => void,
): Listener {
  return (client) => onEvent(event, (payload) => reduce(client, payload));
}

/** A listener whose code comes when the page is idle, and reachable. */
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

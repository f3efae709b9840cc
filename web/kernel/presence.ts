/**
 * The presence of users (rows E10, E11): one map per page, updated by the socket. Until the socket responds, the page's
 * own data applies.
 */
import { PRESENCE } from '@stagedoor/contract/atoms/limits.ts';
import {
  askUserStatus,
  creatorUserStatus,
  customerUserStatus,
  initialUserStatus,
  type PRESENCES,
} from '@stagedoor/contract/presence.ts';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { onConnected, onEvent, sendSignal } from './live.ts';

export type Presence = (typeof PRESENCES)[number];

export const PRESENCE_WORDS = { online: 'Online now', busy: 'In a call', away: 'Away', offline: 'Offline' } as const;
const LAMPS = { online: 'on', busy: 'busy', away: 'away', offline: 'off' } as const;

export function lampOf(status: Presence | undefined) {
  return {
    presence: status && LAMPS[status],
    presenceLabel: status && PRESENCE_WORDS[status],
  };
}

export interface PresenceBoard {
  statusOf(id: string): Presence | undefined;
  /** Calls `change` after every change and requests `id` with the next batch. Returns the function that stops it. */
  watch(id: string, change: () => void): () => void;
  hear(statuses: readonly { id: string; status: Presence }[]): void;
  /** Requests all watched users again after a reconnect. */
  askAll(): void;
}

/**
 * Creates the presence map.
 * @param ask Sends at most 100 ids. Returns false without a connection.
 * @param soon Schedules a batch.
 */
export function createPresenceBoard(
  ask: (ids: string[]) => boolean,
  soon: (work: () => void) => void = (work) => void setTimeout(work, 100),
): PresenceBoard {
  const statuses = new Map<string, Presence>();
  const watchers = new Map<string, Set<() => void>>();
  const wanted = new Set<string>();
  let isComing = false;

  function flush(): void {
    isComing = false;
    const ids = [...wanted].filter((id) => watchers.has(id));
    wanted.clear();
    for (let at = 0; at < ids.length; at += PRESENCE.ids) {
      // Without a connection the ids are requested after the next connect.
      if (!ask(ids.slice(at, at + PRESENCE.ids))) return;
    }
  }
  function want(id: string): void {
    wanted.add(id);
    if (isComing) return;
    isComing = true;
    soon(flush);
  }

  return {
    statusOf: (id) => statuses.get(id),
    watch: (id, change) => {
      const known = watchers.get(id) ?? new Set();
      if (known.size === 0) want(id);
      known.add(change);
      watchers.set(id, known);
      return () => {
        known.delete(change);
        if (known.size === 0) watchers.delete(id);
      };
    },
    hear: (heard) => {
      for (const { id, status } of heard) {
        if (statuses.get(id) === status) continue;
        statuses.set(id, status);
        for (const change of watchers.get(id) ?? []) change();
      }
    },
    askAll: () => {
      for (const id of watchers.keys()) want(id);
    },
  };
}

let board: PresenceBoard | undefined;

function theBoard(): PresenceBoard {
  if (board) return board;
  const made = createPresenceBoard((ids) => sendSignal(askUserStatus, { ids }));
  onEvent(initialUserStatus, made.hear);
  onEvent(creatorUserStatus, (one) => made.hear([one]));
  onEvent(customerUserStatus, (one) => made.hear([one]));
  onConnected(made.askAll);
  board = made;
  return made;
}

const unknown = () => undefined;

export function usePresence(id: string, known: Presence | undefined): Presence | undefined {
  const watch = useCallback((change: () => void) => theBoard().watch(id, change), [id]);
  return useSyncExternalStore(watch, () => theBoard().statusOf(id), unknown) ?? known;
}

export function useAvatar(person: { id: string; avatarUrl: string | null; status?: Presence }) {
  return { src: person.avatarUrl, ...lampOf(usePresence(person.id, person.status)) };
}

/** Listens from the page's first connection, so that the initial presence batch is not missed. */
export function useHearPresence(): void {
  useEffect(() => void theBoard(), []);
}

/**
 * The presence of users (rows E10, E11): one map per page, updated by the socket. Until the socket responds, the page's
 * own data applies.
 */

import {
  creatorUserStatus,
  customerUserStatus,
  initialUserStatus,
  type PRESENCES,
  requestUserStatus,
} from '@stagedoor/contract/identity/presence.ts';
import { PRESENCE_TIMING } from '@stagedoor/contract/shared/limits.ts';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { onConnected, onEvent, sendSignal } from './socket-events.ts';
import * as texts from './texts.ts';

export type PresenceStatus = (typeof PRESENCES)[number];

export const PRESENCE_LABELS = {
  online: texts.onlineNow,
  busy: texts.inACall,
  away: texts.away,
  offline: texts.offline,
} as const;
const PRESENCE_TONES = { online: 'on', busy: 'busy', away: 'away', offline: 'off' } as const;

export function toPresenceProps(status: PresenceStatus | undefined) {
  return {
    presence: status && PRESENCE_TONES[status],
    presenceLabel: status && PRESENCE_LABELS[status],
  };
}

export interface PresenceStore {
  findStatus(id: string): PresenceStatus | undefined;
  /** Calls `change` after every change and requests `id` with the next batch. Returns the function that stops it. */
  watch(id: string, change: () => void): () => void;
  receive(statuses: readonly { id: string; status: PresenceStatus }[]): void;
  /** Requests all watched users again after a reconnect. */
  requestAll(): void;
}

/**
 * Creates the presence map.
 * @param request Sends at most 100 ids. Returns false without a connection.
 * @param schedule Schedules a batch.
 */
export function createPresenceStore(
  request: (ids: string[]) => boolean,
  schedule: (work: () => void) => void = (work) => void setTimeout(work, 100),
): PresenceStore {
  const statuses = new Map<string, PresenceStatus>();
  const watchers = new Map<string, Set<() => void>>();
  const pendingIds = new Set<string>();
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    const ids = [...pendingIds].filter((id) => watchers.has(id));
    pendingIds.clear();
    for (let at = 0; at < ids.length; at += PRESENCE_TIMING.ids) {
      // Without a connection the ids are requested after the next connect.
      if (!request(ids.slice(at, at + PRESENCE_TIMING.ids))) return;
    }
  }
  function enqueue(id: string): void {
    pendingIds.add(id);
    if (isScheduled) return;
    isScheduled = true;
    schedule(flush);
  }

  return {
    findStatus: (id) => statuses.get(id),
    watch: (id, change) => {
      const known = watchers.get(id) ?? new Set();
      if (known.size === 0) enqueue(id);
      known.add(change);
      watchers.set(id, known);
      return () => {
        known.delete(change);
        if (known.size === 0) watchers.delete(id);
      };
    },
    receive: (received) => {
      for (const { id, status } of received) {
        if (statuses.get(id) === status) continue;
        statuses.set(id, status);
        for (const change of watchers.get(id) ?? []) change();
      }
    },
    requestAll: () => {
      for (const id of watchers.keys()) enqueue(id);
    },
  };
}

let store: PresenceStore | undefined;

function getPresenceStore(): PresenceStore {
  if (store) return store;
  const created = createPresenceStore((ids) => sendSignal(requestUserStatus, { ids }));
  onEvent(initialUserStatus, created.receive);
  onEvent(creatorUserStatus, (one) => created.receive([one]));
  onEvent(customerUserStatus, (one) => created.receive([one]));
  onConnected(created.requestAll);
  store = created;
  return created;
}

const getUnknown = () => undefined;

export function usePresence(id: string, known: PresenceStatus | undefined): PresenceStatus | undefined {
  const watch = useCallback((change: () => void) => getPresenceStore().watch(id, change), [id]);
  return useSyncExternalStore(watch, () => getPresenceStore().findStatus(id), getUnknown) ?? known;
}

export function useAvatar(user: { id: string; avatarUrl: string | null; status?: PresenceStatus }) {
  return { src: user.avatarUrl, ...toPresenceProps(usePresence(user.id, user.status)) };
}

/** Listens from the page's first connection, so that the initial presence batch is not missed. */
export function usePresenceListener(): void {
  useEffect(() => void getPresenceStore(), []);
}

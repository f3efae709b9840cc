/**
 * The caught-up marker of the feed. The last seen post is stored on this device, and the marker stays in the same
 * position for one visit.
 */

import { useEffect, useSyncExternalStore } from 'react';
import { type KeyValueStore, localStore, sessionStore } from '../../../platform/browser-storage.ts';
import { subscribeToNothing } from '../../../ui/subscribe-to-nothing.ts';

const VISIT_MS = 30 * 60_000;
const seenKey = (viewerId: string) => `feedSeen:${viewerId}`;
const visitKey = (viewerId: string) => `feedVisit:${viewerId}`;

type Store = Pick<KeyValueStore, 'getItem' | 'setItem'>;

const read = (store: Store, key: string) => store.getItem(key) ?? '';

/**
 * The time of the newest post that was seen before this visit, or ''. The result stays the same during a visit. `now`
 * is in milliseconds.
 */
export function getSeenBefore(local: Store, session: Store, viewerId: string, now: number): string {
  const [until = '', last = ''] = read(session, visitKey(viewerId)).split(' ');
  const isSameVisit = last !== '' && now - Number(last) < VISIT_MS;
  const seen = isSameVisit ? until : read(local, seenKey(viewerId));
  session.setItem(visitKey(viewerId), `${seen} ${now}`);
  return seen;
}

/** Records that a post was shown. Older times are ignored. */
export function saveSeen(local: Store, viewerId: string, createdAt: string): void {
  if (createdAt > read(local, seenKey(viewerId))) local.setItem(seenKey(viewerId), createdAt);
}

/** The index of the first seen post, before which the marker is placed. -1 when nothing newer is above it. */
export function findMarkerIndex(posts: readonly { createdAt: string }[], seen: string): number {
  const at = seen === '' ? -1 : posts.findIndex(({ createdAt }) => createdAt <= seen);
  return at > 0 ? at : -1;
}

const cache = new Map<string, string>();

function getCachedSeen(viewerId: string): string {
  const cached = cache.get(viewerId);
  if (cached !== undefined) return cached;
  const seen = getSeenBefore(localStore, sessionStore, viewerId, Date.now());
  cache.set(viewerId, seen);
  return seen;
}

/** '' on the server and during hydration. `newest` is the time of the newest post on the page. */
export function useSeenBefore(viewerId: string, newest: string | undefined): string {
  const seen = useSyncExternalStore(
    subscribeToNothing,
    () => getCachedSeen(viewerId),
    () => '',
  );
  useEffect(() => {
    if (newest !== undefined) saveSeen(localStore, viewerId, newest);
  }, [viewerId, newest]);
  useEffect(() => () => void cache.delete(viewerId), [viewerId]);
  return seen;
}

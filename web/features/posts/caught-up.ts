/** Up to where a person has seen their feed, kept on this device: the caught-up marker hangs there for the length of a visit. */
import { useEffect, useSyncExternalStore } from 'react';

/** After so long away it is another visit. */
const VISIT_MS = 30 * 60_000;
const seenKey = (viewerId: string) => `feedSeen:${viewerId}`;
const visitKey = (viewerId: string) => `feedVisit:${viewerId}`;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Storage may be forbidden or full: then there is no marker. */
function read(store: Store, key: string): string {
  try {
    return store.getItem(key) ?? '';
  } catch {
    return '';
  }
}
function write(store: Store, key: string, value: string): void {
  try {
    store.setItem(key, value);
  } catch {
    // Nothing depends on it.
  }
}

/**
 * The time of the newest post that was seen before this visit, or ''. A visit's answer stays the same while one goes and
 * comes back. `now` in milliseconds.
 */
export function seenBefore(local: Store, session: Store, viewerId: string, now: number): string {
  const [until = '', last = ''] = read(session, visitKey(viewerId)).split(' ');
  const isSameVisit = last !== '' && now - Number(last) < VISIT_MS;
  const seen = isSameVisit ? until : read(local, seenKey(viewerId));
  write(session, visitKey(viewerId), `${seen} ${now}`);
  return seen;
}

/** Notes that the post of that time was shown; what is older changes nothing. */
export function noteSeen(local: Store, viewerId: string, createdAt: string): void {
  if (createdAt > read(local, seenKey(viewerId))) write(local, seenKey(viewerId), createdAt);
}

/** Where the marker hangs: before the first post that was seen, unless nothing newer is above it. -1 for nowhere. */
export function markerIndex(posts: readonly { createdAt: string }[], seen: string): number {
  const at = seen === '' ? -1 : posts.findIndex(({ createdAt }) => createdAt <= seen);
  return at > 0 ? at : -1;
}

const never = () => () => undefined;
const known = new Map<string, string>();

function seenThisTime(viewerId: string): string {
  const kept = known.get(viewerId);
  if (kept !== undefined) return kept;
  const seen = seenBefore(localStorage, sessionStorage, viewerId, Date.now());
  known.set(viewerId, seen);
  return seen;
}

/** '' on the server and while the page comes alive. `newest` is the time of the newest post that is shown. */
export function useSeenBefore(viewerId: string, newest: string | undefined): string {
  const seen = useSyncExternalStore(
    never,
    () => seenThisTime(viewerId),
    () => '',
  );
  useEffect(() => {
    if (newest !== undefined) noteSeen(localStorage, viewerId, newest);
  }, [viewerId, newest]);
  // Whoever leaves the feed and comes back much later begins another visit.
  useEffect(() => () => void known.delete(viewerId), [viewerId]);
  return seen;
}

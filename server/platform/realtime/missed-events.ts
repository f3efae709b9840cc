/**
 * A page is rendered before its socket connects, and events in between are not delivered. This module remembers when each room
 * last received an event, so that a new connection learns whether the data of its page may be outdated.
 */
import { missedEvents } from '@stagedoor/contract/shared/missed-events.ts';
import type { Socket } from 'socket.io';
import * as z from 'zod/mini';
import { type Clock, systemClock } from '../clock.ts';

export interface MissedEvents {
  /** Records an event to a room. */
  note(room: string): void;
  /** Records that events of any room may have been lost. */
  noteGap(): void;
  /** @param since When the data was read, in ms. Unknown times count as missed. */
  hasMissed(rooms: Iterable<string>, since: number): boolean;
  /** Emits to a socket that just joined these rooms, unless it did not send `readAt`. */
  emitIfMissed(socket: NotifiedSocket, rooms: Iterable<string>): void;
}

type NotifiedSocket = Pick<Socket, 'handshake' | 'emit'>;

const handshakeAuth = z.object({ readAt: z.number() });
/** How long after the handshake the users on the first page are watched, in ms. */
const FIRST_JOINS_MS = 10_000;
/** How long a later page may take from reading its data until it watches the users on it, in ms. */
const NAVIGATION_MS = 5_000;

const RETAINED_MS = 60_000;
const MAX_ROOMS = 50_000;

/**
 * @param slackMs How far the clocks of processes may differ, in ms. 0 with a single process.
 */
export function createMissedEvents(clock: Clock, slackMs: number): MissedEvents {
  /** In the order of their last event, oldest first. */
  const lastEvents = new Map<string, number>();
  const notifiedAt = new WeakMap<NotifiedSocket, number>();
  const getNow = () => clock.now().getTime();
  /** Events before this time are unknown. */
  let knownFrom = getNow();

  function forgetOldest(now: number): void {
    for (const [room, at] of lastEvents) {
      const isExpired = at < now - RETAINED_MS;
      if (!isExpired && lastEvents.size <= MAX_ROOMS) return;
      lastEvents.delete(room);
      if (!isExpired) knownFrom = Math.max(knownFrom, at + 1);
    }
  }

  function hasMissed(rooms: Iterable<string>, since: number): boolean {
    const from = since - slackMs;
    if (from < knownFrom || from < getNow() - RETAINED_MS) return true;
    for (const room of rooms) if ((lastEvents.get(room) ?? Number.NEGATIVE_INFINITY) >= from) return true;
    return false;
  }

  return {
    note: (room) => {
      const now = getNow();
      lastEvents.delete(room);
      lastEvents.set(room, now);
      forgetOldest(now);
    },
    noteGap: () => {
      knownFrom = getNow() + 1;
    },
    hasMissed,
    emitIfMissed: (socket, rooms) => {
      const { auth, issued } = socket.handshake;
      const parsed = z.safeParse(handshakeAuth, auth);
      if (!parsed.success) return;
      const isFirstPage = systemClock.now().getTime() - issued < FIRST_JOINS_MS;
      // After an earlier notification the page has read its data again.
      const readAt = notifiedAt.get(socket) ?? parsed.data.readAt;
      if (!hasMissed(rooms, isFirstPage ? readAt : getNow() - NAVIGATION_MS)) return;
      notifiedAt.set(socket, getNow());
      socket.emit(missedEvents.name, {});
    },
  };
}

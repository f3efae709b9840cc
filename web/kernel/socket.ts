/**
 * The socket (row E12): with the session's cookie, reconnecting by the library's delays and, after each disconnect, by our
 * own tries. A connection that could not be recovered makes every query ask again.
 */
import { HEARTBEAT_MS, SOCKET } from '@stagedoor/contract/atoms/limits.ts';
import { userStatusActivity } from '@stagedoor/contract/presence.ts';
import type { QueryClient } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import { connected, connectionLost, dispatchEvent, type OpenConnection } from './live.ts';

/** The part of a socket that the rules below need; tests pass a stand-in. */
export type Wire = Pick<
  Socket,
  'on' | 'onAny' | 'offAny' | 'emit' | 'connect' | 'disconnect' | 'connected' | 'recovered'
>;

export interface Connection extends OpenConnection {
  close(): void;
}

/** A hand at this device. */
export interface Activity {
  /** Whether somebody did something since it was last asked. */
  wasActive(): boolean;
  /** Whether the page is in front of somebody. */
  isVisible(): boolean;
  /** Told of each thing somebody does, and with true when the page came to the front or went from it. Answers the function that stops it. */
  onAct(act: (hasTurned: boolean) => void): () => void;
}

/** What the server says when it lets a socket in no more (SOCKET_REFUSALS): how long to wait before trying again. */
function waitMsOf(refusal: unknown): number | undefined {
  if (typeof refusal !== 'object' || refusal === null || !('data' in refusal)) return undefined;
  const { data } = refusal;
  if (typeof data !== 'object' || data === null || !('retryAfterSeconds' in data)) return undefined;
  return typeof data.retryAfterSeconds === 'number' ? data.retryAfterSeconds * 1000 : undefined;
}

/** The first connection may take so long before it is called cut. */
const FIRST_MS = 10_000;
const ALWAYS_ACTIVE: Activity = { wasActive: () => true, isVisible: () => true, onAct: () => () => undefined };

/**
 * Puts the rules on a socket. `refetch` is called when events may have been missed. While it is connected it says every 30 s
 * that it is there (row E10), and whether the person is; the first thing they do after a pause is said at once.
 */
export function keepConnected(socket: Wire, refetch: () => void, activity = ALWAYS_ACTIVE): Connection {
  let isPausing = false;
  let retries = 0;
  let hasConnected = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = setTimeout(connectionLost, FIRST_MS);

  socket.on('connect', () => {
    retries = 0;
    clearTimeout(patience);
    clearTimeout(timer);
    socket.offAny(dispatchEvent);
    socket.onAny(dispatchEvent);
    if (hasConnected && !socket.recovered) refetch();
    hasConnected = true;
    connected();
    // Whoever comes is taken to look.
    if (!activity.isVisible()) beat();
  });
  const beat = () => {
    if (!socket.connected) return;
    const isActive = activity.wasActive();
    isPausing = !isActive;
    const isIdle = !isActive && activity.isVisible();
    socket.emit(userStatusActivity.signal, { isActive, ...(isIdle && { isVisible: true }) });
  };
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  const stopActs = activity.onAct((hasTurned) => {
    if (isPausing || hasTurned) beat();
  });
  // The library tries no more by itself after a refusal. All tabs were told the same time: they come back one by one.
  socket.on('connect_error', (refusal) => {
    const waitMs = waitMsOf(refusal);
    if (isClosed || waitMs === undefined) return;
    connectionLost();
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), waitMs * (1 + Math.random()));
  });
  socket.on('disconnect', () => {
    if (isClosed) return;
    connectionLost();
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isClosed || socket.connected || retries > SOCKET.retries) return;
      retries += 1;
      socket.connect();
    }, SOCKET.retryMs);
  });

  return {
    isConnected: () => socket.connected,
    renew: () => {
      if (!socket.connected) return;
      socket.disconnect();
      socket.connect();
    },
    send: (name, payload) => {
      if (socket.connected) socket.emit(name, payload);
      return socket.connected;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(heartbeat);
      clearTimeout(patience);
      stopActs();
      connectionLost(false);
      socket.offAny(dispatchEvent);
      socket.disconnect();
    },
  };
}

const TURN = 'visibilitychange';
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'focus', TURN] as const;

/** Watches for a hand at the device. */
function watchActivity(): Activity & { stop: () => void } {
  let isActive = true;
  const listeners = new Set<(hasTurned: boolean) => void>();
  const isVisible = () => document.visibilityState === 'visible';
  const act = ({ type }: Event) => {
    isActive = true;
    for (const listener of listeners) listener(type === TURN);
  };
  for (const name of ACTS) addEventListener(name, act, { capture: true, passive: true });
  return {
    wasActive: () => {
      const was = isActive && isVisible();
      isActive = false;
      return was;
    },
    isVisible,
    onAct: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => {
      for (const name of ACTS) removeEventListener(name, act, { capture: true });
    },
  };
}

/** Events may have been missed: what is shown is asked for again now, what is kept besides when it is shown next. */
export function askAgain(client: QueryClient): void {
  void client.invalidateQueries();
}

/**
 * Opens the app's one connection: a WebSocket, and polling only where there can be none. Beginning with polling takes four more
 * requests, and a connection lost in the middle of its upgrade goes unnoticed until the next ping is missed.
 */
export function connect(client: QueryClient): Connection {
  const socket = io({
    path: '/socket.io',
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    withCredentials: true,
    reconnectionDelay: SOCKET.delayMs,
    reconnectionDelayMax: SOCKET.delayMaxMs,
    timeout: SOCKET.timeoutMs,
  });
  // Row E10: a person who does nothing keeps the connection, and is away after a while.
  const activity = watchActivity();
  const connection = keepConnected(socket, () => askAgain(client), activity);
  return {
    ...connection,
    close: () => {
      activity.stop();
      connection.close();
    },
  };
}

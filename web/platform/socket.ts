/**
 * The socket (row E12) reconnects with the library's delays and, after each disconnect, with our own retries. Shown data
 * is older than the connection: the server may have rendered it long before, and what changed meanwhile was emitted to
 * no one. So the socket sends when the page was read, and the server responds with `missedEvents` if anything was
 * emitted since. Then everything shown is fetched again. No other code needs to.
 */

import { userStatusActivity } from '@stagedoor/contract/identity/presence.ts';
import { HEARTBEAT_MS, SOCKET_RECONNECT } from '@stagedoor/contract/shared/limits.ts';
import { missedEvents } from '@stagedoor/contract/shared/missed-events.ts';
import type { QueryClient } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import { getReadAt } from './browser.ts';
import { dispatchEvent, handleConnected, handleConnectionLost, type OpenConnection, onEvent } from './socket-events.ts';

export type SocketLike = Pick<Socket, 'on' | 'onAny' | 'offAny' | 'emit' | 'connect' | 'disconnect' | 'connected'>;

export interface Connection extends OpenConnection {
  close(): void;
}

export interface ActivityMonitor {
  /** Whether the user was active since the last call. */
  wasActive(): boolean;
  isVisible(): boolean;
  /**
   * Calls `handleActivity` after each user action, with true if the page became visible or hidden. Returns the function that stops
   * it.
   */
  onActivity(handleActivity: (hasVisibilityChanged: boolean) => void): () => void;
}

/** Returns how long to wait after a refusal by the server (SOCKET_REFUSALS), in ms. */
function parseRetryDelayMs(refusal: unknown): number | undefined {
  if (typeof refusal !== 'object' || refusal === null || !('data' in refusal)) return undefined;
  const { data } = refusal;
  if (typeof data !== 'object' || data === null || !('retryAfterSeconds' in data)) return undefined;
  return typeof data.retryAfterSeconds === 'number' ? data.retryAfterSeconds * 1000 : undefined;
}

/** How long the first connection may take before it counts as lost. */
const FIRST_CONNECT_MS = 10_000;
const ALWAYS_ACTIVE: ActivityMonitor = {
  wasActive: () => true,
  isVisible: () => true,
  onActivity: () => () => undefined,
};

/**
 * Applies the rules to a socket: a heartbeat every 30 s with the user's activity (row E10), and the first action after
 * a pause at once.
 */
export function maintainConnection(socket: SocketLike, activity = ALWAYS_ACTIVE): Connection {
  let isUserIdle = false;
  let retries = 0;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connectTimer = setTimeout(handleConnectionLost, FIRST_CONNECT_MS);

  socket.on('connect', () => {
    retries = 0;
    clearTimeout(connectTimer);
    clearTimeout(timer);
    socket.offAny(dispatchEvent);
    socket.onAny(dispatchEvent);
    handleConnected();
    // A new connection counts as visible by default.
    if (!activity.isVisible()) sendHeartbeat();
  });
  const sendHeartbeat = () => {
    if (!socket.connected) return;
    const isActive = activity.wasActive();
    isUserIdle = !isActive;
    const isIdle = !isActive && activity.isVisible();
    socket.emit(userStatusActivity.signal, { isActive, ...(isIdle && { isVisible: true }) });
  };
  const heartbeat = setInterval(sendHeartbeat, HEARTBEAT_MS);
  const stopActivity = activity.onActivity((hasVisibilityChanged) => {
    if (isUserIdle || hasVisibilityChanged) sendHeartbeat();
  });
  // After a refusal the library does not retry. All tabs receive the same delay, so a random factor spreads their
  // reconnects.
  socket.on('connect_error', (refusal) => {
    const waitMs = parseRetryDelayMs(refusal);
    if (isClosed || waitMs === undefined) return;
    handleConnectionLost();
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), waitMs * (1 + Math.random()));
  });
  socket.on('disconnect', () => {
    if (isClosed) return;
    handleConnectionLost();
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isClosed || socket.connected || retries > SOCKET_RECONNECT.retries) return;
      retries += 1;
      socket.connect();
    }, SOCKET_RECONNECT.retryMs);
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
      clearTimeout(connectTimer);
      stopActivity();
      handleConnectionLost(false);
      socket.offAny(dispatchEvent);
      socket.disconnect();
    },
  };
}

const VISIBILITY_CHANGE = 'visibilitychange';
const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'focus', VISIBILITY_CHANGE] as const;

function watchActivity(): ActivityMonitor & { stop: () => void } {
  let isActive = true;
  const listeners = new Set<(hasVisibilityChanged: boolean) => void>();
  const isVisible = () => document.visibilityState === 'visible';
  const handleActivity = ({ type }: Event) => {
    isActive = true;
    for (const listener of listeners) listener(type === VISIBILITY_CHANGE);
  };
  for (const name of ACTIVITY_EVENTS) addEventListener(name, handleActivity, { capture: true, passive: true });
  return {
    wasActive: () => {
      const was = isActive && isVisible();
      isActive = false;
      return was;
    },
    isVisible,
    onActivity: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => {
      for (const name of ACTIVITY_EVENTS) removeEventListener(name, handleActivity, { capture: true });
    },
  };
}

/** After missed events: refetches shown queries now and other cached queries when they are shown next. */
export function refetchAll(client: QueryClient): void {
  void client.invalidateQueries();
}

/**
 * Opens the connection as a WebSocket, with polling only as a fallback. Starting with polling takes four more requests,
 * and a connection lost during the upgrade would go unnoticed until the next ping is missed.
 */
export function connect(client: QueryClient): Connection {
  const socket = io({
    path: '/socket.io',
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    withCredentials: true,
    auth: { readAt: getReadAt() },
    reconnectionDelay: SOCKET_RECONNECT.delayMs,
    reconnectionDelayMax: SOCKET_RECONNECT.delayMaxMs,
    timeout: SOCKET_RECONNECT.timeoutMs,
  });
  // An inactive user stays connected and becomes away after a while (row E10).
  const activity = watchActivity();
  const connection = maintainConnection(socket, activity);
  // A reconnect may be that of another session, so it always counts as having missed events.
  socket.on('connect', () => {
    socket.auth = { readAt: 0 };
  });
  const stopListening = onEvent(missedEvents, () => refetchAll(client));
  return {
    ...connection,
    close: () => {
      activity.stop();
      stopListening();
      connection.close();
    },
  };
}

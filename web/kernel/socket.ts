/**
 * The socket (row E12): with the session's cookie, reconnecting by the library's delays and, after each disconnect, by our
 * own tries. A connection that could not be recovered makes every active query ask again.
 */
import { HEARTBEAT_MS, SOCKET } from '@stagedoor/contract/atoms/limits.ts';
import { userStatusActivity } from '@stagedoor/contract/presence.ts';
import type { QueryClient } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import { dispatchEvent } from './live.ts';

/** The part of a socket that the rules below need; tests pass a stand-in. */
export type Wire = Pick<Socket, 'on' | 'onAny' | 'offAny' | 'connect' | 'disconnect' | 'connected' | 'recovered'>;

export interface Connection {
  /** After a log-in: a connected socket comes back with the new session (row A4). */
  renew(): void;
  close(): void;
}

/** Puts the rules on a socket. `refetch` is called when events may have been missed. */
export function keepConnected(socket: Wire, refetch: () => void): Connection {
  let retries = 0;
  let hasConnected = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  socket.on('connect', () => {
    retries = 0;
    clearTimeout(timer);
    socket.offAny(dispatchEvent);
    socket.onAny(dispatchEvent);
    if (hasConnected && !socket.recovered) refetch();
    hasConnected = true;
  });
  socket.on('disconnect', () => {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isClosed || socket.connected || retries > SOCKET.retries) return;
      retries += 1;
      socket.connect();
    }, SOCKET.retryMs);
  });

  return {
    renew: () => {
      if (!socket.connected) return;
      socket.disconnect();
      socket.connect();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      socket.offAny(dispatchEvent);
      socket.disconnect();
    },
  };
}

/** Opens the app's one connection. */
export function connect(client: QueryClient): Connection {
  const socket = io({
    path: '/socket.io',
    withCredentials: true,
    reconnectionDelay: SOCKET.delayMs,
    reconnectionDelayMax: SOCKET.delayMaxMs,
    timeout: SOCKET.timeoutMs,
  });
  const connection = keepConnected(socket, () => void client.refetchQueries({ type: 'active' }));
  // Row E10: a tab that nobody looks at keeps the connection, and is no activity.
  const heartbeat = setInterval(() => {
    if (socket.connected) socket.emit(userStatusActivity.signal, { isActive: document.visibilityState === 'visible' });
  }, HEARTBEAT_MS);
  return {
    ...connection,
    close: () => {
      clearInterval(heartbeat);
      connection.close();
    },
  };
}

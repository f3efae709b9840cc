/**
 * Sockets on the same server: who connects with a session joins their own rooms, everyone joins `public`. Only the server
 * puts anybody into a room. With REDIS_URL any number of processes share rooms.
 */
import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { EventSpec, PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import type { SessionId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import { createClient } from 'redis';
import { type Socket, Server as SocketServer } from 'socket.io';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { allowedOrigins, sessionCookie } from './http.ts';
import type { Logger } from './log.ts';
import type { Actor, Sessions } from './session.ts';

export type Connection = { readonly actor: Actor | undefined; readonly socket: Socket };

export interface Realtime {
  /** To every device of one person. */
  toUser<E extends EventSpec>(userId: UserId | string, event: E, payload: PayloadOf<E>): void;
  /** To everyone connected. */
  toPublic<E extends EventSpec>(event: E, payload: PayloadOf<E>): void;
  /** Cuts the sockets of an ended session, or of everything a person has open, on every node. */
  disconnect(which: { sessionId: SessionId | string } | { userId: UserId | string }): void;
  /** Called for each connection, after it joined its rooms. */
  onConnect(listener: (connection: Connection) => void): void;
  attach(server: HttpServer): Promise<void>;
  close(): Promise<void>;
}

const RECOVERY_MS = 2 * 60_000;
/** Told to the other nodes when a room was cut. */
const ENDED = 'ended';

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

export function createRealtime(config: Config, log: Logger, sessions: Sessions, clock: Clock): Realtime {
  const listeners: ((connection: Connection) => void)[] = [];
  let io: SocketServer | undefined;
  let closeRedis = async (): Promise<void> => undefined;
  const cookieName = sessionCookie(config);
  const origins = allowedOrigins(config);
  const ended = new Map<string, number>();

  /** Remembers what was cut as long as a connection that broke off before could be resumed with what it had. */
  function noteEnded(room: string): void {
    const now = clock.now().getTime();
    for (const [other, until] of ended) {
      if (until > now) break;
      ended.delete(other);
    }
    ended.delete(room);
    ended.set(room, now + RECOVERY_MS);
  }

  function cut(room: string): void {
    if (!io) return;
    noteEnded(room);
    if (config.redisUrl) io.serverSideEmit(ENDED, room);
    io.in(room).disconnectSockets(true);
  }

  return {
    toUser: (userId, event, payload) => void io?.to(`user:${userId}`).emit(event.name, payload),
    toPublic: (event, payload) => void io?.to('public').emit(event.name, payload),
    disconnect: (which) => cut('sessionId' in which ? `session:${which.sessionId}` : `user:${which.userId}`),
    onConnect: (listener) => void listeners.push(listener),
    attach: async (server) => {
      io = new SocketServer(server, {
        path: '/socket.io',
        serveClient: false,
        perMessageDeflate: false,
        maxHttpBufferSize: 64 * 1024,
        // A browser's cross-site socket rides on the person's cookies, and CORS does not stop it.
        allowRequest: (request, decide) =>
          decide(null, request.headers.origin === undefined || origins.has(request.headers.origin)),
        connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS, skipMiddlewares: false },
      });
      if (config.redisUrl) {
        const redis = createClient({ url: config.redisUrl });
        redis.on('error', (error: Error) => log.error({ err: error }, 'redis'));
        await redis.connect();
        io.adapter(createAdapter(redis));
        closeRedis = async () => redis.destroy();
      }
      io.on(ENDED, (room: string) => noteEnded(room));
      // A resumed connection gets its rooms and what it missed before anybody is asked who it is.
      const { adapter } = io.of('/');
      const restore = adapter.restoreSession.bind(adapter);
      adapter.restoreSession = async (pid, offset) => {
        const session = await restore(pid, offset);
        const isOver = session?.rooms.some((room) => (ended.get(String(room)) ?? 0) > clock.now().getTime());
        if (isOver) throw new Error('the session has ended');
        return session;
      };
      io.engine.on('headers', (headers: Record<string, string>) => {
        headers['x-content-type-options'] = 'nosniff';
      });
      io.use(async (socket, next) => {
        socket.data.actor = await sessions
          .resolve(cookieValue(socket.request.headers.cookie, cookieName))
          .catch(() => undefined);
        next();
      });
      io.on('connection', (socket) => {
        const actor: Actor | undefined = socket.data.actor;
        void socket.join('public');
        if (actor && !actor.isBlocked) void socket.join([`user:${actor.userId}`, `session:${actor.sessionId}`]);
        for (const listener of listeners) listener({ actor, socket });
      });
    },
    close: async () => {
      await io?.close();
      await closeRedis();
    },
  };
}

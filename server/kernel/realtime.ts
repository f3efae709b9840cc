/**
 * Sockets on the same server: who connects with a session joins their own rooms, everyone joins `public`. Only the server
 * puts anybody into a room. With REDIS_URL any number of processes share rooms.
 */
import type { Server as HttpServer } from 'node:http';
import type { EventInput, EventSpec, SignalOf, SignalSpec } from '@stagedoor/contract/atoms/event.ts';
import type { SessionId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import { type Socket, Server as SocketServer } from 'socket.io';
import * as z from 'zod/mini';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { allowedOrigins, sessionCookie } from './http.ts';
import type { Logger } from './log.ts';
import type { Actor, Sessions } from './session.ts';
import { answerShape, type Shape } from './shape.ts';

export type Connection = { readonly actor: Actor | undefined; readonly socket: Socket };

/** A socket of somebody with a session. */
export type SignedIn = { readonly actor: Actor; readonly socket: Socket };

export interface Realtime {
  /** To every device of one person. What is sent is of the contract's form and no more. */
  toUser<E extends EventSpec>(userId: UserId | string, event: E, payload: EventInput<E>): void;
  /** To everyone connected. */
  toPublic<E extends EventSpec>(event: E, payload: EventInput<E>): void;
  /** To a room that the server put sockets into; `isLocal`: to those of this process only. */
  toRoom<E extends EventSpec>(room: string, event: E, payload: EventInput<E>, options?: { isLocal?: boolean }): void;
  /** To every device of one person that is connected right now; what is lost on the way stays lost. */
  toUserVolatile<E extends EventSpec>(userId: UserId | string, event: E, payload: EventInput<E>): void;
  /** To the devices of one person on this process, an event that another process has put into the contract's form. */
  relayToUser(userId: string, name: string, payload: unknown): void;
  /** Cuts the sockets of an ended session, or of everything a person has open, on every node. */
  disconnect(which: { sessionId: SessionId | string } | { userId: UserId | string }): void;
  /** Called for each connection, after it joined its rooms. */
  onConnect(listener: (connection: Connection) => void): void;
  /** Called for each well-formed signal of a person with a session. What a flood sends is dropped. */
  onSignal<S extends SignalSpec>(signal: S, listener: (from: SignedIn, payload: SignalOf<S>) => void): void;
  /** To the same listener on every other process; nothing when there is one. `payload` is plain JSON. */
  toNodes(name: string, payload: unknown): void;
  onNodes(name: string, listener: (payload: unknown) => void): void;
  /** Called when this process begins to close, while it can still tell the others. */
  onClose(listener: () => void): void;
  attach(server: HttpServer): Promise<void>;
  close(): Promise<void>;
}

/** How often an open socket's session is looked up: one that ran out is cut within this time. */
const VERIFY_MS = 5 * 60_000;
/** Signals of one socket in a second: far more than fingers and heartbeats make. */
const SIGNALS_A_SECOND = 40;
/** How an event travels between processes. */
const ROOM_EVENT = 'room';
type RoomEvent = { room: string; name: string; payload: unknown; isVolatile: boolean };

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

/** `elsewhere` takes what a process without sockets has to say to a person. */
export function createRealtime(
  config: Config,
  log: Logger,
  sessions: Sessions,
  clock: Clock,
  elsewhere?: (userId: string, name: string, payload: unknown) => void,
): Realtime {
  const listeners: ((connection: Connection) => void)[] = [];
  const signals: { signal: SignalSpec; listener: (from: SignedIn, payload: unknown) => void }[] = [];
  const nodeListeners: [string, (payload: unknown) => void][] = [];
  const closers: (() => void)[] = [];
  let verifying: NodeJS.Timeout | undefined;
  let io: SocketServer | undefined;
  let closeRedis = async (): Promise<void> => undefined;
  let fanOut: FanOut = () => undefined;
  const shapes = new Map<EventSpec, Shape>();
  const cookieName = sessionCookie(config);
  const origins = allowedOrigins(config);

  /** What leaves for browsers, which do not look at it again: what the event's schema names and no more. */
  function sent<E extends EventSpec>(event: E, payload: EventInput<E>): unknown {
    const shape = shapes.get(event) ?? answerShape(config, event.payload, event.name);
    shapes.set(event, shape);
    return shape(payload);
  }

  /** To a room of every process, or of this one. */
  function emit(room: string, name: string, payload: unknown, { isVolatile = false, isLocal = false } = {}): void {
    fanOut(room, name, payload, isVolatile);
    if (!config.redisUrl || isLocal) return;
    io?.serverSideEmit(ROOM_EVENT, { room, name, payload, isVolatile } satisfies RoomEvent);
  }

  /** Lets a socket's signals through to who listens: well-formed ones, and not too many. */
  function hear(from: SignedIn): void {
    let second = 0;
    let count = 0;
    for (const { signal, listener } of signals) {
      from.socket.on(signal.signal, (payload: unknown) => {
        const now = Math.floor(clock.now().getTime() / 1000);
        if (now !== second) {
          second = now;
          count = 0;
        }
        count += 1;
        if (count > SIGNALS_A_SECOND * config.rateFactor) return;
        const parsed = z.safeParse(signal.payload, payload ?? undefined);
        try {
          if (parsed.success) listener(from, parsed.data);
        } catch (error) {
          log.error({ err: error, signal: signal.signal }, 'a signal failed');
        }
      });
    }
  }

  /** Cuts the sockets of this process whose session has run out. */
  async function verify(): Promise<void> {
    for (const socket of io?.of('/').sockets.values() ?? []) {
      if (!socket.data.actor) continue;
      const actor = await sessions.resolve(cookieValue(socket.request.headers.cookie, cookieName));
      if (!actor || actor.isBlocked) socket.disconnect(true);
    }
  }

  return {
    toRoom: (room, event, payload, options) => emit(room, event.name, sent(event, payload), options),
    toUserVolatile: (userId, event, payload) =>
      emit(`user:${userId}`, event.name, sent(event, payload), { isVolatile: true }),
    onSignal: (signal, listener) => {
      // What reaches the listener was parsed by that very schema.
      signals.push({ signal, listener: (from, payload) => listener(from, payload as SignalOf<typeof signal>) });
    },
    toNodes: (name, payload) => {
      if (config.redisUrl) io?.serverSideEmit(name, payload);
    },
    onClose: (listener) => void closers.push(listener),
    onNodes: (name, listener) => void nodeListeners.push([name, listener]),
    toUser: (userId, event, payload) => {
      if (elsewhere) elsewhere(userId, event.name, sent(event, payload));
      else emit(`user:${userId}`, event.name, sent(event, payload));
    },
    relayToUser: (userId, name, payload) => fanOut(`user:${userId}`, name, payload),
    toPublic: (event, payload) => emit('public', event.name, sent(event, payload)),
    disconnect: (which) =>
      void io?.in('sessionId' in which ? `session:${which.sessionId}` : `user:${which.userId}`).disconnectSockets(true),
    onConnect: (listener) => void listeners.push(listener),
    attach: async (server) => {
      io = new SocketServer(server, {
        path: '/socket.io',
        serveClient: false,
        perMessageDeflate: false,
        // No connectionStateRecovery: it adds an argument to every event, which clients of the specification do not expect.
        // Who reconnects asks again, and chat replays messages from the last one known (docs/decisions).
        maxHttpBufferSize: 64 * 1024,
        // A browser's cross-site socket rides on the person's cookies, and CORS does not stop it.
        allowRequest: (request, decide) =>
          decide(null, request.headers.origin === undefined || origins.has(request.headers.origin)),
      });
      if (config.redisUrl) {
        // A single process needs neither, and they take 50 MB.
        const [{ createClient }, { createAdapter }] = await Promise.all([
          import('@redis/client'),
          import('@socket.io/redis-streams-adapter'),
        ]);
        const redis = createClient({ url: config.redisUrl });
        redis.on('error', (error: Error) => log.error({ err: error }, 'redis'));
        await redis.connect();
        io.adapter(createAdapter(redis));
        // What was sent last still leaves; without a connection it never will.
        closeRedis = async () => (redis.isReady ? redis.close() : redis.destroy());
      }
      fanOut = createFanOut(io);
      io.on(ROOM_EVENT, ({ room, name, payload, isVolatile }: RoomEvent) => fanOut(room, name, payload, isVolatile));
      for (const [name, listener] of nodeListeners) io.on(name, listener);
      verifying = setInterval(
        () => void verify().catch((error: unknown) => log.error({ err: error }, 'sessions of sockets')),
        VERIFY_MS,
      );
      verifying.unref();
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
        if (actor && !actor.isBlocked) hear({ actor, socket });
        for (const listener of listeners) listener({ actor, socket });
      });
    },
    close: async () => {
      clearInterval(verifying);
      for (const closer of closers) closer();
      await io?.close();
      await closeRedis();
    },
  };
}

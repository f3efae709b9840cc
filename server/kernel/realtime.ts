/**
 * Socket.IO on the HTTP server. Authenticated sockets join the rooms of their user, all sockets join `public`. With
 * Redis, processes share rooms. When messages between processes were lost, sockets are closed and clients load what
 * they missed.
 */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import type { EventInput, EventSpec, SignalOf, SignalSpec } from '@stagedoor/contract/atoms/event.ts';
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import { type Socket, Server as SocketServer } from 'socket.io';
import * as z from 'zod/mini';
import { whoFor } from './acting.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { forwardedAddress, networkOf } from './connections.ts';
import { createEngines } from './engines.ts';
import { createFanOut, type FanOut, type Withheld } from './fan-out.ts';
import { allowedOrigins, hasTwoHosts, sessionCookie } from './http.ts';
import type { Limits } from './limits.ts';
import type { Logger } from './log.ts';
import { hides, type Places } from './places.ts';
import { type Engine, hangUp, type Readers, watchReaders } from './readers.ts';
import type { Redis } from './redis.ts';
import type { SecurityLog } from './security-log.ts';
import { type Actor, type Ended, peopleOf, type Sessions } from './session.ts';
import { answerShape, type Shape } from './shape.ts';
import { createSignals, type Merging, type SignedIn } from './signals.ts';

export type About = { readonly id: string; readonly but: readonly string[] };

export type Connection = {
  readonly actor: Actor | undefined;
  readonly actsFor: string | undefined;
  readonly socket: Socket;
};

export interface Realtime {
  /**
   * Emits to all devices of a user, and to their team where the event names a right. `of` skips sockets at locations
   * where that creator is hidden.
   */
  toUser<E extends EventSpec>(userId: UserId | string, event: E, payload: EventInput<E>, of?: string): void;
  /** Emits to all sockets. `about` skips sockets from which that user is hidden, and the users in `but`. */
  toPublic<E extends EventSpec>(event: E, payload: EventInput<E>, about?: About): void;
  toRoom<E extends EventSpec>(room: string, event: E, payload: EventInput<E>, options?: { isLocal?: boolean }): void;
  /** Like `toUser`, but lost for sockets that are not ready. */
  toUserVolatile<E extends EventSpec>(userId: UserId | string, event: E, payload: EventInput<E>, of?: string): void;
  /**
   * Emits an event that another process already serialized, on this process only. `key` is a user or a {@link
   * teamRoom}.
   */
  relayToUser(key: string, name: string, payload: unknown, of?: string): void;
  /** Resolves once the event was sent, to whether the socket is still connected. */
  toSocket<E extends EventSpec>(socket: Socket, event: E, payload: EventInput<E>): Promise<boolean>;
  withhold(socket: Socket, event: EventSpec): Withheld;
  /** Closes sockets of this process. Other processes are notified by the database. */
  disconnect(ended: Ended): void;
  verify(): void;
  /** Called for each connection after it joined its rooms. A connection that acts for a creator has no actor. */
  onConnect(listener: (connection: Connection) => void): void;
  /**
   * Called for each valid signal of an authenticated user, one after another per account. Waiting signals that merge
   * become one, excess signals are dropped.
   */
  onSignal<S extends SignalSpec>(
    signal: S,
    listener: (from: SignedIn, payload: SignalOf<S>) => void | Promise<void>,
    merging?: Merging<SignalOf<S>>,
  ): void;
  /**
   * Runs database work of a user between their signals. Never call it from a signal listener, because it would wait for
   * itself.
   */
  inTurn<T>(userId: string, work: () => Promise<T>): Promise<T>;
  toNodes(name: string, payload: unknown): void;
  onNodes(name: string, listener: (payload: unknown) => void): void;
  /** Called after the sockets that may have missed messages were closed. */
  onGap(listener: () => void): void;
  /**
   * Returns since when a client whose last event was at `instant` may have missed events. Earlier than `instant` if
   * processes were disconnected then.
   */
  wholeUntil(instant: Date): Date;
  onClose(listener: () => void): void;
  attach(server: HttpServer): Promise<void>;
  close(): Promise<void>;
}

const VERIFY_MS = 5 * 60_000;
const ROOM_EVENT = 'room';
const roomEvent = z.object({
  room: z.string(),
  name: z.string(),
  payload: z.unknown(),
  isVolatile: z.boolean(),
  about: z.optional(z.object({ id: z.string(), but: z.array(z.string()) })),
});
const MAX_GAPS = 100;
const GAP_SLACK_MS = 10_000;

const teamRoom = (creatorId: string, right: TeamRight) => `${creatorId}/${right}`;
const roomOf = (key: string) => (key.includes('/') ? `team:${key}` : `user:${key}`);
const hearersOf = (userId: string, { team }: EventSpec) => (team ? [userId, teamRoom(userId, team)] : [userId]);

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

type Emitting = { isVolatile?: boolean; isLocal?: boolean; about?: About | undefined };

const aboutOf = (id: string | undefined): About | undefined => (id === undefined ? undefined : { id, but: [] });

function hearersOfSomebody(places: RealtimeParts['places'], { id, but }: About): (socket: Socket) => boolean {
  const left = new Set(but);
  return ({ data, request }) => {
    const actor: Actor | undefined = data.actor;
    if (actor && left.has(actor.userId)) return false;
    const acted = actor?.actingFor?.creator;
    const here = places.hereOfSocket(request, acted ? { userId: acted.userId, type: 'creator' } : actor);
    return !here || !hides(here, id);
  };
}

export type RealtimeParts = {
  config: Config;
  log: Logger;
  sessions: Sessions;
  clock: Clock;
  limits: Limits;
  redis: Redis | undefined;
  places: Pick<Places, 'hereOfSocket' | 'within'>;
  security: SecurityLog;
  elsewhere: ((userId: string, name: string, payload: unknown, of: string | undefined) => void) | undefined;
};

export function createRealtime(parts: RealtimeParts): Realtime {
  const { config, log, sessions, clock, limits, redis, places, security, elsewhere } = parts;
  const listeners: ((connection: Connection) => void)[] = [];
  const heard: { signal: SignalSpec; take: (from: SignedIn, payload: unknown) => void }[] = [];
  const signals = createSignals({ clock, log, limits, redis, rateFactor: config.rateFactor });
  const gapListeners: (() => void)[] = [];
  const gaps: { from: number; to: number }[] = [];
  const closers: (() => void)[] = [];
  let verifying: NodeJS.Timeout | undefined;
  let io: SocketServer | undefined;
  let fanOut: FanOut | undefined;
  let readers: Readers | undefined;
  const shapes = new Map<EventSpec, Shape>();
  const cookieName = sessionCookie(config);
  const origins = allowedOrigins(config);
  const addressOf = forwardedAddress(config.trustProxy);
  const networkOfRequest = (request: IncomingMessage) => networkOf(addressOf(request) ?? '');
  const engines = createEngines<Engine>({
    ...{ clock, limits, rateFactor: config.rateFactor, networkOf: networkOfRequest, hangUp },
    accountOf: async (request) => (await resolve(request))?.userId,
  });

  /** Checks the origin, because browsers send cookies with cross-site sockets and CORS does not stop them. */
  async function mayOpen(request: IncomingMessage): Promise<boolean> {
    const { origin } = request.headers;
    const isOurs = origin === undefined || origins.has(origin);
    if (!isOurs) security.note({ kind: 'originRefused', network: networkOfRequest(request), detail: 'socket' });
    return isOurs && !hasTwoHosts(request) && engines.mayOpen(request);
  }

  /** Browsers do not validate events, so only fields of the schema are sent. */
  function sent<E extends EventSpec>(event: E, payload: EventInput<E>): unknown {
    const shape = shapes.get(event) ?? answerShape(config, event.payload, event.name);
    shapes.set(event, shape);
    return shape(payload);
  }

  function emit(room: string, name: string, payload: unknown, options: Emitting = {}): void {
    const { isVolatile = false, isLocal = false, about } = options;
    fanOut?.send(room, name, payload, isVolatile, about && hearersOfSomebody(places, about));
    if (isLocal) return;
    const said = { room, name, payload, isVolatile, ...(about && { about: { id: about.id, but: [...about.but] } }) };
    redis?.publish(ROOM_EVENT, said satisfies z.infer<typeof roomEvent>);
  }
  redis?.on(ROOM_EVENT, (said) => {
    const { room, name, payload, isVolatile, about } = z.parse(roomEvent, said);
    fanOut?.send(room, name, payload, isVolatile, about && hearersOfSomebody(places, about));
  });
  redis?.onGap((since, isOurs) => {
    gaps.push({ from: since.getTime(), to: clock.now().getTime() + GAP_SLACK_MS });
    if (gaps.length > MAX_GAPS) gaps.shift();
    // Closes the transport, because clients do not reopen a socket that the server disconnected.
    if (isOurs) for (const socket of io?.of('/').sockets.values() ?? []) socket.conn.close();
    for (const listener of gapListeners) listener();
  });

  function hear(from: SignedIn): void {
    for (const { signal, take } of heard) {
      const actor = whoFor(signal.team && [signal.team], from.actor);
      if (actor)
        from.socket.on(signal.signal, (payload: unknown) => {
          const parsed = z.safeParse(signal.payload, payload ?? undefined);
          if (parsed.success) take({ ...from, actor }, parsed.data);
        });
    }
  }

  /** A member who acts for a creator joins only the rooms of their rights, and none of their own. */
  function join(socket: Socket, { userId, sessionId, actingFor }: Actor): void {
    const own = actingFor
      ? actingFor.rights.map((right) => roomOf(teamRoom(actingFor.creator.userId, right)))
      : [`user:${userId}`];
    const ending = actingFor ? peopleOf({ userId, actingFor }).map((id) => `acting:${id}`) : [];
    void socket.join([...own, ...ending, `session:${sessionId}`]);
  }

  const resolving = new Map<string, Promise<Actor | undefined>>();
  function resolve({ headers }: IncomingMessage): Promise<Actor | undefined> {
    const token = cookieValue(headers.cookie, cookieName) ?? '';
    const known = resolving.get(token);
    if (known) return known;
    const resolved = sessions
      .resolve(token)
      .catch(() => undefined)
      .finally(() => resolving.delete(token));
    resolving.set(token, resolved);
    return resolved;
  }

  async function cutIfEnded(socket: Socket): Promise<void> {
    const actor = await sessions.resolve(cookieValue(socket.request.headers.cookie, cookieName));
    if (!actor || actor.isBlocked) socket.disconnect(true);
  }
  async function cutEnded(): Promise<void> {
    for (const socket of io?.of('/').sockets.values() ?? []) if (socket.data.actor) await cutIfEnded(socket);
  }
  const verify = () => void cutEnded().catch((error: unknown) => log.error({ err: error }, 'sessions of sockets'));

  return {
    toRoom: (room, event, payload, options) => emit(room, event.name, sent(event, payload), options),
    toUserVolatile: (userId, event, payload, of) => {
      const told = sent(event, payload);
      const options = { isVolatile: true, about: aboutOf(of) };
      for (const key of hearersOf(userId, event)) emit(roomOf(key), event.name, told, options);
    },
    onSignal: (signal, listener, merging) => {
      const hearThere: typeof listener = (from, payload) =>
        places.within(places.hereOfSocket(from.socket.request, from.actor), () => listener(from, payload));
      const take = signals.line(signal.signal, hearThere, merging);
      heard.push({ signal, take: (from, payload) => take(from, payload as SignalOf<typeof signal>) });
    },
    inTurn: signals.inTurn,
    toNodes: (name, payload) => redis?.publish(name, payload),
    onNodes: (name, listener) => redis?.on(name, listener),
    onGap: (listener) => void gapListeners.push(listener),
    wholeUntil: (instant) => {
      const at = instant.getTime();
      return new Date(Math.min(at, ...gaps.filter(({ from, to }) => from <= at && at <= to).map(({ from }) => from)));
    },
    onClose: (listener) => void closers.push(listener),
    toUser: (userId, event, payload, of) => {
      const told = sent(event, payload);
      for (const key of hearersOf(userId, event))
        if (elsewhere) elsewhere(key, event.name, told, of);
        else emit(roomOf(key), event.name, told, { about: aboutOf(of) });
    },
    relayToUser: (key, name, payload, of) => emit(roomOf(key), name, payload, { isLocal: true, about: aboutOf(of) }),
    toSocket: async (socket, event, payload) => {
      socket.emit(event.name, sent(event, payload));
      await readers?.drained(socket.conn);
      return socket.connected;
    },
    withhold: (socket, event) =>
      fanOut?.withhold(socket.id, event.name) ?? { wasSent: () => false, release: () => undefined },
    toPublic: (event, payload, about) => emit('public', event.name, sent(event, payload), { about }),
    disconnect: ({ sessionIds = [], userIds = [] }) => {
      const rooms = [
        ...sessionIds.map((id) => `session:${id}`),
        ...userIds.flatMap((id) => [`user:${id}`, `acting:${id}`]),
      ];
      if (rooms.length > 0) io?.local.in(rooms).disconnectSockets(true);
    },
    verify,
    onConnect: (listener) => void listeners.push(listener),
    attach: async (server) => {
      io = new SocketServer(server, {
        path: '/socket.io',
        serveClient: false,
        perMessageDeflate: false,
        // connectionStateRecovery would add an argument to every event, which clients of the specification do not
        // expect.
        maxHttpBufferSize: 64 * 1024,
        allowRequest: (request, decide) =>
          void mayOpen(request)
            .catch(() => false)
            .then((may) => decide(null, may)),
      });
      await redis?.open();
      fanOut = createFanOut(io);
      readers = watchReaders(io, log);
      io.engine.on('connection', engines.hold);
      io.engine.on('connection', signals.guard);
      verifying = setInterval(verify, VERIFY_MS);
      verifying.unref();
      io.engine.on('headers', (headers: Record<string, string>) => {
        headers['x-content-type-options'] = 'nosniff';
      });
      io.use(async (socket, next) => {
        const actor = await resolve(socket.request);
        socket.data.actor = actor;
        next(actor && !actor.isBlocked ? await signals.admit({ actor, socket }) : undefined);
      });
      io.on('connection', (socket) => {
        const actor: Actor | undefined = socket.data.actor;
        engines.admitted(socket.conn);
        void socket.join('public');
        if (actor && !actor.isBlocked) join(socket, actor);
        signals.hold(socket, actor);
        if (actor && !actor.isBlocked) hear({ actor, socket });
        // The session may have ended between the lookup and the connection.
        if (actor) void cutIfEnded(socket).catch(() => socket.disconnect(true));
        const actsFor = actor?.actingFor?.creator.userId;
        for (const listener of listeners) listener({ actor: actsFor ? undefined : actor, actsFor, socket });
      });
    },
    close: async () => {
      clearInterval(verifying);
      signals.stop();
      readers?.stop();
      for (const closer of closers) closer();
      await io?.close();
    },
  };
}

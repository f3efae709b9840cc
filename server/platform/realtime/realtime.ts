/**
 * Socket.IO on the HTTP server. Authenticated sockets join the rooms of their user, all sockets join `public`. With
 * Redis, processes share rooms. When messages between processes were lost, sockets are closed and clients load what
 * they missed.
 */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { CLOCK_LIMITS } from '@stagedoor/contract/admin/system-status.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import type { EventInput, EventSpec, SignalOf, SignalSpec } from '@stagedoor/contract/shared/event.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import { type Socket, Server as SocketServer } from 'socket.io';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { type GeoBlocking, isBlockedIn } from '../geo.ts';
import { createAddressResolver, toNetwork } from '../http/client-address.ts';
import { getSessionCookieName, hasSeveralHosts, listAllowedOrigins } from '../http/http.ts';
import { createResponseSerializer, type Serializer } from '../http/response-serializer.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import type { Logger } from '../log.ts';
import { resolveActor } from '../security/delegation.ts';
import type { SecurityLogger } from '../security/security-log.ts';
import { type Actor, type EndedSessions, listUserIds, type SessionCache } from '../security/session.ts';
import { createEngineIoLimits } from './engineio-limits.ts';
import { createFanOut, type EventSuppression, type FanOut } from './fan-out.ts';
import { createMissedEvents } from './missed-events.ts';
import type { Redis } from './redis.ts';
import { closeEngine, type EngineConnection, type SlowConsumers, watchSlowConsumers } from './slow-consumers.ts';
import { createSocketGuard, type SignalMerging, type SignalSender } from './socket-limits.ts';

export type EmitSubject = { readonly id: string; readonly exceptUserIds: readonly string[] };

export type SocketConnection = {
  readonly actor: Actor | undefined;
  readonly onBehalfOfId: string | undefined;
  readonly socket: Socket;
};

export interface Realtime {
  /**
   * Emits to all devices of a user, and to their team where the event names a right. `aboutCreatorId` skips sockets at locations
   * where that creator is hidden.
   */
  emitToUser<E extends EventSpec>(
    userId: UserId | string,
    event: E,
    payload: EventInput<E>,
    aboutCreatorId?: string,
  ): void;
  /** Emits to all sockets. `emitSubject` skips sockets from which that user is hidden, and the users in `exceptUserIds`. */
  emitToAll<E extends EventSpec>(event: E, payload: EventInput<E>, emitSubject?: EmitSubject): void;
  emitToRoom<E extends EventSpec>(
    room: string,
    event: E,
    payload: EventInput<E>,
    options?: { isLocal?: boolean },
  ): void;
  /** Like `emitToUser`, but lost for sockets that are not ready. */
  emitToUserVolatile<E extends EventSpec>(
    userId: UserId | string,
    event: E,
    payload: EventInput<E>,
    aboutCreatorId?: string,
  ): void;
  /**
   * Emits an event that another process already serialized, on this process only. `key` is a user or a {@link
   * teamRoom}.
   */
  relayToUser(key: string, name: string, payload: unknown, aboutCreatorId?: string): void;
  /** Resolves once the event was sent, to whether the socket is still connected. */
  emitToSocket<E extends EventSpec>(socket: Socket, event: E, payload: EventInput<E>): Promise<boolean>;
  suppressEvent(socket: Socket, event: EventSpec): EventSuppression;
  /** Closes sockets of this process. Other processes are notified by the database. */
  disconnect(ended: EndedSessions): void;
  verify(): void;
  /** Called for each connection after it joined its rooms. A connection that acts for a creator has no actor. */
  onConnect(listener: (connection: SocketConnection) => void): void;
  /** Emits `missedEvents` if these rooms, which the socket just joined, received events after its page read its data. */
  emitIfMissed(socket: Socket, rooms: Iterable<string>): void;
  /**
   * Called for each valid signal of an authenticated user, one after another per account. Waiting signals that merge
   * become one, excess signals are dropped.
   */
  onSignal<S extends SignalSpec>(
    signal: S,
    listener: (from: SignalSender, payload: SignalOf<S>) => void | Promise<void>,
    merging?: SignalMerging<SignalOf<S>>,
  ): void;
  /**
   * Runs database work of a user between their signals. Never call it from a signal listener, because it would wait for
   * itself.
   */
  runInOrder<T>(userId: string, work: () => Promise<T>): Promise<T>;
  emitToProcesses(name: string, payload: unknown): void;
  onProcessMessage(name: string, listener: (payload: unknown) => void): void;
  /** Called after the sockets that may have missed messages were closed. */
  onGap(listener: () => void): void;
  /**
   * Returns since when a client whose last event was at `instant` may have missed events. Earlier than `instant` if
   * processes were disconnected then.
   */
  getMissedSince(instant: Date): Date;
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
  isStateOnJoin: z.optional(z.boolean()),
  emitSubject: z.optional(z.object({ id: z.string(), exceptUserIds: z.array(z.string()) })),
});
const MAX_GAPS = 100;
const GAP_SLACK_MS = 10_000;

const teamRoom = (creatorId: string, right: TeamRight) => `${creatorId}/${right}`;
const toRoomName = (key: string) => (key.includes('/') ? `team:${key}` : `user:${key}`);
const listTargets = (userId: string, { team }: EventSpec) => (team ? [userId, teamRoom(userId, team)] : [userId]);

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

type EmitOptions = {
  isVolatile?: boolean;
  isStateOnJoin?: boolean | undefined;
  isLocal?: boolean;
  emitSubject?: EmitSubject | undefined;
};

const toEmitSubject = (id: string | undefined): EmitSubject | undefined =>
  id === undefined ? undefined : { id, exceptUserIds: [] };

function createSocketFilter(
  geo: RealtimeParts['geo'],
  { id, exceptUserIds }: EmitSubject,
): (socket: Socket) => boolean {
  const exceptIds = new Set(exceptUserIds);
  return ({ data, request }) => {
    const actor: Actor | undefined = data.actor;
    if (actor && exceptIds.has(actor.userId)) return false;
    const onBehalfOfCreator = actor?.onBehalfOf?.creator;
    const geoContext = geo.findSocketContext(
      request,
      onBehalfOfCreator ? { userId: onBehalfOfCreator.userId, type: 'creator' } : actor,
    );
    return !geoContext || !isBlockedIn(geoContext, id);
  };
}

export type RealtimeParts = {
  config: Config;
  log: Logger;
  sessions: SessionCache;
  clock: Clock;
  limits: RateLimits;
  redis: Redis | undefined;
  geo: Pick<GeoBlocking, 'findSocketContext' | 'runWith'>;
  security: SecurityLogger;
  publishElsewhere:
    | ((userId: string, name: string, payload: unknown, aboutCreatorId: string | undefined) => void)
    | undefined;
};

export function createRealtime(parts: RealtimeParts): Realtime {
  const { config, log, sessions, clock, limits, redis, geo, security, publishElsewhere } = parts;
  const listeners: ((connection: SocketConnection) => void)[] = [];
  const signalHandlers: { signal: SignalSpec; handleSignal: (from: SignalSender, payload: unknown) => void }[] = [];
  const socketGuard = createSocketGuard({ clock, log, limits, redis, rateFactor: config.rateFactor });
  const missed = createMissedEvents(clock, redis ? 2 * CLOCK_LIMITS.reportedMs : 0);
  const gapListeners: (() => void)[] = [];
  const gaps: { from: number; to: number }[] = [];
  const closeListeners: (() => void)[] = [];
  let verifyTimer: NodeJS.Timeout | undefined;
  let io: SocketServer | undefined;
  let fanOut: FanOut | undefined;
  let slowConsumers: SlowConsumers | undefined;
  const serializers = new Map<EventSpec, Serializer>();
  const cookieName = getSessionCookieName(config);
  const origins = listAllowedOrigins(config);
  const resolveAddress = createAddressResolver(config.trustProxy);
  const getNetwork = (request: IncomingMessage) => toNetwork(resolveAddress(request) ?? '');
  const engineLimits = createEngineIoLimits<EngineConnection>({
    ...{ clock, limits, rateFactor: config.rateFactor, getNetwork, closeEngine },
    findAccount: async (request) => (await resolve(request))?.userId,
  });

  /** Checks the origin, because browsers send cookies with cross-site sockets and CORS does not stop them. */
  async function tryOpen(request: IncomingMessage): Promise<boolean> {
    const { origin } = request.headers;
    const isAllowedOrigin = origin === undefined || origins.has(origin);
    if (!isAllowedOrigin) security.note({ kind: 'originRefused', network: getNetwork(request), detail: 'socket' });
    return isAllowedOrigin && !hasSeveralHosts(request) && engineLimits.tryOpen(request);
  }

  /** Browsers do not validate events, so only fields of the schema are sent. */
  function serializeEvent<E extends EventSpec>(event: E, payload: EventInput<E>): unknown {
    const serialize = serializers.get(event) ?? createResponseSerializer(config, event.payload, event.name);
    serializers.set(event, serialize);
    return serialize(payload);
  }

  function emit(room: string, name: string, payload: unknown, options: EmitOptions = {}): void {
    const { isVolatile = false, isStateOnJoin = false, isLocal = false, emitSubject } = options;
    if (!isVolatile && !isStateOnJoin) missed.note(room);
    fanOut?.send(room, name, payload, isVolatile, emitSubject && createSocketFilter(geo, emitSubject));
    if (isLocal) return;
    const message = {
      room,
      name,
      payload,
      isVolatile,
      ...(isStateOnJoin && { isStateOnJoin }),
      ...(emitSubject && { emitSubject: { id: emitSubject.id, exceptUserIds: [...emitSubject.exceptUserIds] } }),
    };
    redis?.publish(ROOM_EVENT, message satisfies z.infer<typeof roomEvent>);
  }
  redis?.on(ROOM_EVENT, (message) => {
    const { room, name, payload, isVolatile, isStateOnJoin, emitSubject } = z.parse(roomEvent, message);
    if (!isVolatile && !isStateOnJoin) missed.note(room);
    fanOut?.send(room, name, payload, isVolatile, emitSubject && createSocketFilter(geo, emitSubject));
  });
  redis?.onGap((since, isOwnLoss) => {
    gaps.push({ from: since.getTime(), to: clock.now().getTime() + GAP_SLACK_MS });
    if (gaps.length > MAX_GAPS) gaps.shift();
    missed.noteGap();
    // Closes the transport, because clients do not reopen a socket that the server disconnected.
    if (isOwnLoss) for (const socket of io?.of('/').sockets.values() ?? []) socket.conn.close();
    for (const listener of gapListeners) listener();
  });

  function attachSignals(from: SignalSender): void {
    for (const { signal, handleSignal } of signalHandlers) {
      const actor = resolveActor(signal.team && [signal.team], from.actor);
      if (actor)
        from.socket.on(signal.signal, (payload: unknown) => {
          const parsed = z.safeParse(signal.payload, payload ?? undefined);
          if (parsed.success) handleSignal({ ...from, actor }, parsed.data);
        });
    }
  }

  /** A member who acts for a creator joins only the rooms of their rights, and none of their own. */
  function join(socket: Socket, { userId, sessionId, onBehalfOf }: Actor): void {
    const ownRooms = onBehalfOf
      ? onBehalfOf.rights.map((right) => toRoomName(teamRoom(onBehalfOf.creator.userId, right)))
      : [`user:${userId}`];
    const endRooms = onBehalfOf ? listUserIds({ userId, onBehalfOf }).map((id) => `acting:${id}`) : [];
    void socket.join([...ownRooms, ...endRooms, `session:${sessionId}`]);
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

  async function disconnectIfEnded(socket: Socket): Promise<void> {
    const actor = await sessions.resolve(cookieValue(socket.request.headers.cookie, cookieName));
    if (!actor || actor.isBlocked) socket.disconnect(true);
  }
  async function disconnectEnded(): Promise<void> {
    for (const socket of io?.of('/').sockets.values() ?? []) if (socket.data.actor) await disconnectIfEnded(socket);
  }
  const verify = () =>
    void disconnectEnded().catch((error: unknown) => log.error({ err: error }, 'sessions of sockets'));

  return {
    emitToRoom: (room, event, payload, options) =>
      emit(room, event.name, serializeEvent(event, payload), { ...options, isStateOnJoin: event.isStateOnJoin }),
    emitToUserVolatile: (userId, event, payload, aboutCreatorId) => {
      const serialized = serializeEvent(event, payload);
      const options = { isVolatile: true, emitSubject: toEmitSubject(aboutCreatorId) };
      for (const key of listTargets(userId, event)) emit(toRoomName(key), event.name, serialized, options);
    },
    onSignal: (signal, listener, merging) => {
      const handleWithGeo: typeof listener = (from, payload) =>
        geo.runWith(geo.findSocketContext(from.socket.request, from.actor), () => listener(from, payload));
      const handleSignal = socketGuard.createSignalQueue(signal.signal, handleWithGeo, merging);
      signalHandlers.push({
        signal,
        handleSignal: (from, payload) => handleSignal(from, payload as SignalOf<typeof signal>),
      });
    },
    runInOrder: socketGuard.runInOrder,
    emitToProcesses: (name, payload) => redis?.publish(name, payload),
    onProcessMessage: (name, listener) => redis?.on(name, listener),
    onGap: (listener) => void gapListeners.push(listener),
    getMissedSince: (instant) => {
      const at = instant.getTime();
      return new Date(Math.min(at, ...gaps.filter(({ from, to }) => from <= at && at <= to).map(({ from }) => from)));
    },
    onClose: (listener) => void closeListeners.push(listener),
    emitToUser: (userId, event, payload, aboutCreatorId) => {
      const serialized = serializeEvent(event, payload);
      for (const key of listTargets(userId, event))
        if (publishElsewhere) publishElsewhere(key, event.name, serialized, aboutCreatorId);
        else emit(toRoomName(key), event.name, serialized, { emitSubject: toEmitSubject(aboutCreatorId) });
    },
    relayToUser: (key, name, payload, aboutCreatorId) =>
      emit(toRoomName(key), name, payload, { isLocal: true, emitSubject: toEmitSubject(aboutCreatorId) }),
    emitToSocket: async (socket, event, payload) => {
      socket.emit(event.name, serializeEvent(event, payload));
      await slowConsumers?.waitUntilDrained(socket.conn);
      return socket.connected;
    },
    suppressEvent: (socket, event) =>
      fanOut?.suppressEvent(socket.id, event.name) ?? { wasSuppressed: () => false, release: () => undefined },
    emitToAll: (event, payload, emitSubject) =>
      emit('public', event.name, serializeEvent(event, payload), { emitSubject }),
    disconnect: ({ sessionIds = [], userIds = [] }) => {
      const rooms = [
        ...sessionIds.map((id) => `session:${id}`),
        ...userIds.flatMap((id) => [`user:${id}`, `acting:${id}`]),
      ];
      if (rooms.length > 0) io?.local.in(rooms).disconnectSockets(true);
    },
    verify,
    onConnect: (listener) => void listeners.push(listener),
    emitIfMissed: missed.emitIfMissed,
    attach: async (server) => {
      io = new SocketServer(server, {
        path: '/socket.io',
        serveClient: false,
        perMessageDeflate: false,
        // connectionStateRecovery would add an argument to every event, which clients of the specification do not
        // expect.
        maxHttpBufferSize: 64 * 1024,
        allowRequest: (request, decide) =>
          void tryOpen(request)
            .catch(() => false)
            .then((isAllowed) => decide(null, isAllowed)),
      });
      await redis?.open();
      fanOut = createFanOut(io);
      slowConsumers = watchSlowConsumers(io, log);
      io.engine.on('connection', engineLimits.track);
      io.engine.on('connection', socketGuard.guardConnection);
      verifyTimer = setInterval(verify, VERIFY_MS);
      verifyTimer.unref();
      io.engine.on('headers', (headers: Record<string, string>) => {
        headers['x-content-type-options'] = 'nosniff';
      });
      io.use(async (socket, next) => {
        const actor = await resolve(socket.request);
        socket.data.actor = actor;
        next(actor && !actor.isBlocked ? await socketGuard.admit({ actor, socket }) : undefined);
      });
      io.on('connection', (socket) => {
        const actor: Actor | undefined = socket.data.actor;
        engineLimits.markAdmitted(socket.conn);
        void socket.join('public');
        if (actor && !actor.isBlocked) {
          join(socket, actor);
          missed.emitIfMissed(socket, socket.rooms);
        }
        socketGuard.limitSignals(socket, actor);
        if (actor && !actor.isBlocked) attachSignals({ actor, socket });
        // The session may have ended between the lookup and the connection.
        if (actor) void disconnectIfEnded(socket).catch(() => socket.disconnect(true));
        const onBehalfOfId = actor?.onBehalfOf?.creator.userId;
        for (const listener of listeners) listener({ actor: onBehalfOfId ? undefined : actor, onBehalfOfId, socket });
      });
    },
    close: async () => {
      clearInterval(verifyTimer);
      socketGuard.stop();
      slowConsumers?.stop();
      for (const closer of closeListeners) closer();
      await io?.close();
    },
  };
}

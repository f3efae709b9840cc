/**
 * Sockets on the same server: who connects with a session joins their own rooms, everyone joins `public`. Only the server
 * puts anybody into a room. With a Redis any number of processes share rooms; when something was lost between them, sockets are
 * cut, and clients ask for what they missed.
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

/** Whom an event is about, and the ids of who is to hear nothing of them. */
export type About = { readonly id: string; readonly but: readonly string[] };

export type Connection = {
  readonly actor: Actor | undefined;
  /** For whom it acts, if it does: then it has no `actor`. */
  readonly actsFor: string | undefined;
  readonly socket: Socket;
};

export interface Realtime {
  /**
   * To every device of one person, and of their team where the event names its right; what is `of` a creator not to those where that
   * creator is hidden. What is sent is of the contract's form and no more.
   */
  toUser<E extends EventSpec>(userId: UserId | string, event: E, payload: EventInput<E>, of?: string): void;
  /** To everyone connected; what is about somebody not to those from whom they are hidden where they are, or who are among `but`. */
  toPublic<E extends EventSpec>(event: E, payload: EventInput<E>, about?: About): void;
  /** To a room that the server put sockets into; `isLocal`: to those of this process only. */
  toRoom<E extends EventSpec>(room: string, event: E, payload: EventInput<E>, options?: { isLocal?: boolean }): void;
  /** The same, to those that are connected right now; what is lost on the way stays lost. */
  toUserVolatile<E extends EventSpec>(userId: UserId | string, event: E, payload: EventInput<E>, of?: string): void;
  /** To the devices of one person (or of those with a right in their team: {@link teamRoom}) on this process, an event that another process has put into the contract's form. */
  relayToUser(key: string, name: string, payload: unknown, of?: string): void;
  /** To one socket. Resolves when it has left this process; to whether the socket is still there. */
  toSocket<E extends EventSpec>(socket: Socket, event: E, payload: EventInput<E>): Promise<boolean>;
  /** Keeps an event from a socket that is told something older first. */
  withhold(socket: Socket, event: EventSpec): Withheld;
  /** Cuts the sockets that this process has of them. The others hear of the end from the database (process-channel.ts). */
  disconnect(ended: Ended): void;
  /** Cuts the sockets whose session is not there any more, or is blocked. */
  verify(): void;
  /** Called for each connection, after it joined its rooms. One that acts for somebody is nobody's. */
  onConnect(listener: (connection: Connection) => void): void;
  /**
   * Called for each well-formed signal of a person with a session: one after another for each account, the next when what the
   * listener does is done, as from where its socket is (places.ts). Of those that wait and merge one is left. What a flood sends is
   * dropped (signals.ts).
   */
  onSignal<S extends SignalSpec>(
    signal: S,
    listener: (from: SignedIn, payload: SignalOf<S>) => void | Promise<void>,
    merging?: Merging<SignalOf<S>>,
  ): void;
  /** Runs what somebody's socket asks of the database between their signals. Not from within a signal's listener: it would wait for itself. */
  inTurn<T>(userId: string, work: () => Promise<T>): Promise<T>;
  /** To the same listener on every other process; nothing when there is one. `payload` is plain JSON. */
  toNodes(name: string, payload: unknown): void;
  onNodes(name: string, listener: (payload: unknown) => void): void;
  /** Called when something that processes said to each other may have been lost, after the sockets it was for were cut. */
  onGap(listener: () => void): void;
  /**
   * Since when somebody may have missed something who last heard something of that instant: earlier than it, if that was while
   * processes did not hear each other.
   */
  wholeUntil(instant: Date): Date;
  /** Called when this process begins to close, while it can still tell the others. */
  onClose(listener: () => void): void;
  attach(server: HttpServer): Promise<void>;
  /** Closes the sockets. What is sent after it still reaches those of other processes, while Redis is open. */
  close(): Promise<void>;
}

/** How often an open socket's session is looked up: one that ran out is cut within this time. */
const VERIFY_MS = 5 * 60_000;
/** How an event travels between processes. */
const ROOM_EVENT = 'room';
const roomEvent = z.object({
  room: z.string(),
  name: z.string(),
  payload: z.unknown(),
  isVolatile: z.boolean(),
  about: z.optional(z.object({ id: z.string(), but: z.array(z.string()) })),
});
/** Gaps that are remembered. */
const MAX_GAPS = 100;
/** Clocks of processes differ, and what was heard last before a cut was made a moment before. */
const GAP_SLACK_MS = 10_000;

/** Those of a creator's team who have a right, as a socket's room. */
const teamRoom = (creatorId: string, right: TeamRight) => `${creatorId}/${right}`;
/** The room of a person, or of {@link teamRoom}. */
const roomOf = (key: string) => (key.includes('/') ? `team:${key}` : `user:${key}`);
/** Who hears an event for a person: they, and those of their team whom it is for. */
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

/** Which sockets hear what is about somebody; one that acts for a creator as that creator. */
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
  /** Takes what a process without sockets has to say to a person. */
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

  /** Whether a connection may be opened. A browser's cross-site socket rides on the person's cookies, and CORS does not stop it. */
  async function mayOpen(request: IncomingMessage): Promise<boolean> {
    const { origin } = request.headers;
    const isOurs = origin === undefined || origins.has(origin);
    if (!isOurs) security.note({ kind: 'originRefused', network: networkOfRequest(request), detail: 'socket' });
    return isOurs && !hasTwoHosts(request) && engines.mayOpen(request);
  }

  /** What leaves for browsers, which do not look at it again: what the event's schema names and no more. */
  function sent<E extends EventSpec>(event: E, payload: EventInput<E>): unknown {
    const shape = shapes.get(event) ?? answerShape(config, event.payload, event.name);
    shapes.set(event, shape);
    return shape(payload);
  }

  /** To a room of every process, or of this one. */
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
    // Their connections break off, as for a client a network does: one that the server ends it would not open again.
    if (isOurs) for (const socket of io?.of('/').sockets.values() ?? []) socket.conn.close();
    for (const listener of gapListeners) listener();
  });

  /** Lets a socket's signals through to who listens: well-formed ones. */
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

  /** Puts a socket where its person hears; who acts for a creator hears what they have a right to, and nothing of their own. */
  function join(socket: Socket, { userId, sessionId, actingFor }: Actor): void {
    const own = actingFor
      ? actingFor.rights.map((right) => roomOf(teamRoom(actingFor.creator.userId, right)))
      : [`user:${userId}`];
    const ending = actingFor ? peopleOf({ userId, actingFor }).map((id) => `acting:${id}`) : [];
    void socket.join([...own, ...ending, `session:${sessionId}`]);
  }

  const resolving = new Map<string, Promise<Actor | undefined>>();
  /** Who connects. What connects together with one cookie is looked up once. */
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
      // What is taken was parsed by that very schema.
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
        // No connectionStateRecovery: it adds an argument to every event, which clients of the specification do not expect.
        // Who reconnects asks again, and chat replays messages from the last one known (docs/decisions).
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
        // It may have ended after it was read, and before there was a socket to cut.
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

/**
 * Limits the sockets of one account together: how many are open, the rate of their signals, and their work, which runs
 * one after another.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { SOCKET_REFUSALS, type SocketRefusal } from '@stagedoor/contract/shared/event.ts';
import type { Socket } from 'socket.io';
import type { Clock } from '../clock.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { createRateLimits, type RateLimit, type RateLimits } from '../limits/rate-limit.ts';
import { createSharedConnectionLimits } from '../limits/shared-connection-limit.ts';
import type { Logger } from '../log.ts';
import type { Actor } from '../security/session.ts';
import type { Redis } from './redis.ts';
import { closeEngine } from './slow-consumers.ts';

export type SignalSender = { readonly actor: Actor; readonly socket: Socket };

/** Waiting signals of a user with the same `key` become one by `merge`. */
export type SignalMerging<Payload> = {
  key(payload: Payload): string;
  merge(earlier: Payload, later: Payload): Payload;
};

export class RefusedSocket extends Error {
  readonly data: { retryAfterSeconds: number };
  constructor(reason: SocketRefusal, retryAfterSeconds: number) {
    super(reason);
    this.data = { retryAfterSeconds };
  }
}

export interface SocketGuard {
  /** Closes a connection that sends far more packets than normal clients, whatever they contain. */
  guardConnection(connection: EngineConnection): void;
  /** Counts a socket until it closes. Returns a refusal when there are too many. */
  admit(from: SignalSender): Promise<RefusedSocket | undefined>;
  limitSignals(socket: Socket, actor: Actor | undefined): void;
  /** Runs database work of a user after their earlier work. Throws RATE_LIMITED when too much is waiting. */
  runInOrder<T>(userId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Returns a function that queues signals for a listener, merged if `merging` is given. Errors are logged, and signals
   * beyond the queue limit are dropped.
   */
  createSignalQueue<P>(
    name: string,
    listener: (from: SignalSender, payload: P) => void | Promise<void>,
    merging: SignalMerging<P> | undefined,
  ): (from: SignalSender, payload: P) => void;
  stop(): void;
}

const MAX_OPEN = { perSession: 30, perAccount: 60 };
/** Per user, across sockets and processes. A call begins with about a hundred at once. */
const SIGNAL_LIMIT: RateLimit = { name: 'signals', max: 200, windowMs: 5_000 };
/** A starting browser opens all its tabs at once, and a network all its sockets. */
const OPEN_LIMIT: RateLimit = { name: 'sockets opened', max: 60, windowMs: 10_000 };
/** A socket with more refused signals is disconnected. */
const REFUSED_LIMIT: RateLimit = { name: 'refused signals', max: 60, windowMs: 60_000 };
const BLOCK_MS = 30_000;
/** Packets of a connection, including pongs and disconnects, and connect requests among them. */
const PACKETS = { windowMs: 10_000, max: 1_000, maxConnects: 5 };
const CONNECT = '0';
const FULL_SECONDS = 60;
const MAX_WAITING = 400;

type EngineConnection = Socket['conn'];
export type SocketGuardOptions = {
  clock: Clock;
  log: Logger;
  limits: RateLimits;
  redis: Redis | undefined;
  rateFactor: number;
};

export function createSocketGuard({ clock, log, limits, redis, rateFactor }: SocketGuardOptions): SocketGuard {
  const scale = (max: number) => Math.ceil(max * rateFactor);
  const sockets = createSharedConnectionLimits(redis);
  const refusals = createRateLimits(clock);
  const turns = createConcurrencyLimit({
    max: 1,
    maxWaiting: MAX_WAITING,
    createError: () => new AppError('RATE_LIMITED'),
  });
  const runInOrder: SocketGuard['runInOrder'] = (userId, work) => turns.run(work, userId);
  const blockedUntil = new Map<string, number>();
  const now = () => clock.now().getTime();

  function createSignalQueue<P>(
    name: string,
    listener: (from: SignalSender, payload: P) => void | Promise<void>,
    merging: SignalMerging<P> | undefined,
  ): (from: SignalSender, payload: P) => void {
    const waiting = new Map<string, { payload: P }>();
    return (from, payload) => {
      const { userId } = from.actor;
      const key = merging && `${userId} ${merging.key(payload)}`;
      const earlier = key === undefined ? undefined : waiting.get(key);
      if (merging && earlier) {
        earlier.payload = merging.merge(earlier.payload, payload);
        return;
      }
      const signal = { payload };
      if (key !== undefined) waiting.set(key, signal);
      const removeWaiting = () => void (key !== undefined && waiting.delete(key));
      runInOrder(userId, async () => {
        removeWaiting();
        await listener(from, signal.payload);
      }).catch((error: unknown) => {
        if (error instanceof AppError) removeWaiting();
        else log.error({ err: error, signal: name }, 'a signal failed');
      });
    };
  }

  function closeFlooding(socket: Socket, actor: Actor | undefined): void {
    log.warn({ userId: actor?.userId }, 'a socket that floods is cut');
    if (actor) {
      for (const [id, until] of blockedUntil) if (until <= now()) blockedUntil.delete(id);
      blockedUntil.set(actor.sessionId, now() + BLOCK_MS);
    }
    socket.disconnect();
    closeEngine(socket.conn);
  }

  function guardConnection(connection: EngineConnection): void {
    let [since, packets, connects] = [0, 0, 0];
    connection.on('packet', ({ type, data }: { type?: string; data?: unknown }) => {
      if (now() - since >= PACKETS.windowMs) [since, packets, connects] = [now(), 0, 0];
      packets += 1;
      if (type === 'message' && typeof data === 'string' && data.startsWith(CONNECT)) connects += 1;
      if (packets <= scale(PACKETS.max) && connects <= scale(PACKETS.maxConnects)) return;
      log.warn({ packets, connects }, 'a connection that floods is cut');
      closeEngine(connection);
    });
  }

  return {
    guardConnection,
    runInOrder,
    stop: sockets.stop,
    admit: async ({ actor, socket }) => {
      const blockedMs = (blockedUntil.get(actor.sessionId) ?? 0) - now();
      if (blockedMs > 0) return new RefusedSocket(SOCKET_REFUSALS.tooFast, Math.ceil(blockedMs / 1000));
      const { close, isWithinLimits } = sockets.open([
        { key: `session:${actor.sessionId}`, max: scale(MAX_OPEN.perSession) },
        { key: `account:${actor.userId}`, max: scale(MAX_OPEN.perAccount) },
      ]);
      socket.conn.once('close', close);
      const waitMs = await limits.countShared(OPEN_LIMIT, actor.userId);
      const isFull = !(await isWithinLimits);
      if (waitMs === 0 && !isFull) {
        socket.once('disconnect', close);
        return undefined;
      }
      socket.conn.off('close', close);
      close();
      return isFull
        ? new RefusedSocket(SOCKET_REFUSALS.tooMany, FULL_SECONDS)
        : new RefusedSocket(SOCKET_REFUSALS.tooFast, Math.ceil(waitMs / 1000));
    },
    limitSignals: (socket, actor) => {
      socket.use((_signal, next) => {
        if (limits.count(SIGNAL_LIMIT, actor?.userId ?? socket.id) === 0) return next();
        if (refusals.count(REFUSED_LIMIT, socket.id) > 0) closeFlooding(socket, actor);
      });
    },
    createSignalQueue,
  };
}

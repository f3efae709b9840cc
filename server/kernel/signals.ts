/**
 * Limits the sockets of one account together: how many are open, the rate of their signals, and their work, which runs
 * one after another.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { SOCKET_REFUSALS, type SocketRefusal } from '@stagedoor/contract/atoms/event.ts';
import type { Socket } from 'socket.io';
import type { Clock } from './clock.ts';
import type { Limit, Limits } from './limits.ts';
import type { Logger } from './log.ts';
import { createOpenSockets } from './open-sockets.ts';
import { hangUp } from './readers.ts';
import type { Redis } from './redis.ts';
import type { Actor } from './session.ts';
import { createTurns, type InTurn } from './turns.ts';

export type SignedIn = { readonly actor: Actor; readonly socket: Socket };

/** Waiting signals of a user with the same `key` become one by `merge`. */
export type Merging<Payload> = {
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

export interface Signals {
  /** Closes a connection that sends far more packets than normal clients, whatever they contain. */
  guard(connection: Engine): void;
  /** Counts a socket until it closes. Returns a refusal when there are too many. */
  admit(from: SignedIn): Promise<RefusedSocket | undefined>;
  hold(socket: Socket, actor: Actor | undefined): void;
  /** Runs database work of a user after their earlier work. Throws RATE_LIMITED when too much is waiting. */
  inTurn<T>(userId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Returns a function that queues signals for a listener, merged if `merging` is given. Errors are logged, and signals
   * beyond the queue limit are dropped.
   */
  line<P>(
    name: string,
    listener: (from: SignedIn, payload: P) => void | Promise<void>,
    merging: Merging<P> | undefined,
  ): (from: SignedIn, payload: P) => void;
  stop(): void;
}

const OPEN = { ofSession: 30, ofAccount: 60 };
/** Per user, across sockets and processes. A call begins with about a hundred at once. */
const SIGNALS: Limit = { name: 'signals', max: 200, windowMs: 5_000 };
/** A starting browser opens all its tabs at once, and a network all its sockets. */
const OPENED: Limit = { name: 'sockets opened', max: 60, windowMs: 10_000 };
const MOST_REFUSED = 60;
const REFUSED_MS = 60_000;
const REST_MS = 30_000;
/** Packets of a connection, including pongs and disconnects, and connect requests among them. */
const PACKETS = { windowMs: 10_000, most: 1_000, mostConnects: 5 };
const CONNECT = '0';
const FULL_SECONDS = 60;
const MOST_WAITING = 400;

type Engine = Socket['conn'];
type Account = { inTurn: InTurn; running: number };
export type SignalsParts = { clock: Clock; log: Logger; limits: Limits; redis: Redis | undefined; rateFactor: number };

export function createSignals({ clock, log, limits, redis, rateFactor }: SignalsParts): Signals {
  const scaled = (most: number) => Math.ceil(most * rateFactor);
  const signalLimit = { ...SIGNALS, max: scaled(SIGNALS.max) };
  const openLimit = { ...OPENED, max: scaled(OPENED.max) };
  const open = createOpenSockets({ ofSession: scaled(OPEN.ofSession), ofAccount: scaled(OPEN.ofAccount) }, redis);
  const accounts = new Map<string, Account>();
  const resting = new Map<string, number>();
  const now = () => clock.now().getTime();

  function inTurn<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const account: Account = accounts.get(userId) ?? {
      inTurn: createTurns({ atOnce: 1, waiting: MOST_WAITING, refusal: () => new AppError('RATE_LIMITED') }),
      running: 0,
    };
    accounts.set(userId, account);
    account.running += 1;
    return account.inTurn(work).finally(() => {
      account.running -= 1;
      if (account.running === 0) accounts.delete(userId);
    });
  }

  function line<P>(
    name: string,
    listener: (from: SignedIn, payload: P) => void | Promise<void>,
    merging: Merging<P> | undefined,
  ): (from: SignedIn, payload: P) => void {
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
      const leave = () => void (key !== undefined && waiting.delete(key));
      inTurn(userId, async () => {
        leave();
        await listener(from, signal.payload);
      }).catch((error: unknown) => {
        if (error instanceof AppError) leave();
        else log.error({ err: error, signal: name }, 'a signal failed');
      });
    };
  }

  function cut(socket: Socket, actor: Actor | undefined): void {
    log.warn({ userId: actor?.userId }, 'a socket that floods is cut');
    if (actor) {
      for (const [id, until] of resting) if (until <= now()) resting.delete(id);
      resting.set(actor.sessionId, now() + REST_MS);
    }
    socket.disconnect();
    hangUp(socket.conn);
  }

  function guard(connection: Engine): void {
    let [since, packets, connects] = [0, 0, 0];
    connection.on('packet', ({ type, data }: { type?: string; data?: unknown }) => {
      if (now() - since >= PACKETS.windowMs) [since, packets, connects] = [now(), 0, 0];
      packets += 1;
      if (type === 'message' && typeof data === 'string' && data.startsWith(CONNECT)) connects += 1;
      if (packets <= scaled(PACKETS.most) && connects <= scaled(PACKETS.mostConnects)) return;
      log.warn({ packets, connects }, 'a connection that floods is cut');
      hangUp(connection);
    });
  }

  return {
    guard,
    inTurn,
    stop: open.stop,
    admit: async ({ actor, socket }) => {
      const restMs = (resting.get(actor.sessionId) ?? 0) - now();
      if (restMs > 0) return new RefusedSocket(SOCKET_REFUSALS.tooFast, Math.ceil(restMs / 1000));
      const { leave, hasRoom } = open.enter(actor);
      socket.conn.once('close', leave);
      const waitMs = await limits.countShared(openLimit, actor.userId);
      const isFull = !(await hasRoom);
      if (waitMs === 0 && !isFull) {
        socket.once('disconnect', leave);
        return undefined;
      }
      socket.conn.off('close', leave);
      leave();
      return isFull
        ? new RefusedSocket(SOCKET_REFUSALS.tooMany, FULL_SECONDS)
        : new RefusedSocket(SOCKET_REFUSALS.tooFast, Math.ceil(waitMs / 1000));
    },
    hold: (socket, actor) => {
      let refused = 0;
      let since = 0;
      socket.use((_signal, next) => {
        if (limits.count(signalLimit, actor?.userId ?? socket.id) === 0) return next();
        if (now() - since >= REFUSED_MS) {
          since = now();
          refused = 0;
        }
        refused += 1;
        if (refused > MOST_REFUSED) cut(socket, actor);
      });
    },
    line,
  };
}

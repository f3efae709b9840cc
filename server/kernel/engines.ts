/**
 * Limits Engine.IO connections and how often they are opened: per account, per network of anonymous clients, for all
 * anonymous clients and in total. Limits shrink with the remaining capacity. These requests bypass Fastify, and one TCP
 * connection can open any number of them.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from './clock.ts';
import { shareOf } from './connections.ts';
import { createLimits, type Limit, type Limits } from './limits.ts';

/**
 * Anonymous clients of a network get a quarter of its TCP connections, so that users find room at the same address. An
 * account gets more than its sockets, because closed polling connections are noticed late.
 */
const OPEN = { ofNetwork: 250, ofAccount: 400, ofStrangers: 16_000, inAll: 20_000 };
/** All connections of a network or user reconnect at once after an outage. */
const OPENED: { ofNetwork: Limit; ofAccount: Limit } = {
  ofNetwork: { name: 'engines opened', max: 2_000, windowMs: 60_000 },
  ofAccount: { name: 'engines opened', max: 600, windowMs: 60_000 },
};
/** Per process, enough to take over the clients of another process that ends. */
const OPENED_HERE: { ofStrangers: Limit; inAll: Limit } = {
  ofStrangers: { name: 'engines opened by strangers', max: 32_000, windowMs: 60_000 },
  inAll: { name: 'engines opened', max: 40_000, windowMs: 60_000 },
};
/** Deadline for an admitted socket, which browsers request with the first packet. */
const ADMIT_MS = 15_000;

type Engine = { readonly request: IncomingMessage; once(event: 'close', listener: () => void): unknown };

export interface Engines<E extends Engine> {
  /** Reserves a slot if one more connection may be opened. */
  mayOpen(request: IncomingMessage): Promise<boolean>;
  hold(engine: E): void;
  /** A connection without a socket in time is closed, and an unused slot is released. */
  admitted(engine: E): void;
}

type Parts<E extends Engine> = {
  clock: Clock;
  limits: Limits;
  rateFactor: number;
  networkOf: (request: IncomingMessage) => string;
  accountOf: (request: IncomingMessage) => Promise<string | undefined>;
  hangUp: (engine: E) => void;
};
type Place = { readonly leave: () => void; timer: NodeJS.Timeout };

export function createEngines<E extends Engine>(parts: Parts<E>): Engines<E> {
  const { clock, limits, rateFactor, networkOf, accountOf, hangUp } = parts;
  const scaled = (most: number) => Math.ceil(most * rateFactor);
  const openedHere = createLimits(clock, undefined);
  const open = new Map<string, number>();
  const held = { strangers: 0, inAll: 0 };
  const places = new WeakMap<IncomingMessage, Place>();

  const later = (work: () => void) => setTimeout(work, ADMIT_MS).unref();

  function enter(key: string, isStranger: boolean): () => void {
    const add = (more: 1 | -1) => {
      const count = (open.get(key) ?? 0) + more;
      if (count > 0) open.set(key, count);
      else open.delete(key);
      held.inAll += more;
      if (isStranger) held.strangers += more;
    };
    add(1);
    let isIn = true;
    return () => {
      if (isIn) add(-1);
      isIn = false;
    };
  }

  return {
    mayOpen: async (request) => {
      if (held.inAll >= OPEN.inAll) return false;
      const account = await accountOf(request);
      const isStranger = account === undefined;
      const key = account ?? networkOf(request);
      const of = isStranger ? 'ofNetwork' : 'ofAccount';
      const share = Math.min(
        shareOf(scaled(OPEN[of]), held.inAll, OPEN.inAll),
        isStranger ? shareOf(scaled(OPEN[of]), held.strangers, OPEN.ofStrangers) : Number.POSITIVE_INFINITY,
      );
      if ((open.get(key) ?? 0) >= share) return false;
      if (limits.count({ ...OPENED[of], max: scaled(OPENED[of].max) }, key) > 0) return false;
      if (isStranger && openedHere.count(OPENED_HERE.ofStrangers, '') > 0) return false;
      if (openedHere.count(OPENED_HERE.inAll, '') > 0) return false;
      const leave = enter(key, isStranger);
      places.set(request, { leave, timer: later(leave) });
      return true;
    },
    hold: (engine) => {
      const place = places.get(engine.request);
      if (!place) return hangUp(engine);
      clearTimeout(place.timer);
      place.timer = later(() => hangUp(engine));
      engine.once('close', () => {
        clearTimeout(place.timer);
        place.leave();
      });
    },
    admitted: ({ request }) => clearTimeout(places.get(request)?.timer),
  };
}

/**
 * How many Engine.IO connections are held, by WebSocket or by polling, and how often new ones are opened: of one account, or of
 * nobody's network, told by the address that proxies forward; of strangers together; and in all. The fewer are left, the fewer one may
 * have (connections.ts). They come past Fastify and its hooks, and one TCP connection can ask for any number.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from './clock.ts';
import { shareOf } from './connections.ts';
import { createLimits, type Limit, type Limits } from './limits.ts';

/**
 * Strangers of a network a quarter of its TCP connections (http.ts): visitors' pages open none, and who has an account must find room behind
 * the same address. An account far more than its sockets (signals.ts), as those by polling that went are missed late.
 */
const OPEN = { ofNetwork: 250, ofAccount: 400, ofStrangers: 16_000, inAll: 20_000 };
/** All that a network, or a person, has open come back at once when the line does. */
const OPENED: { ofNetwork: Limit; ofAccount: Limit } = {
  ofNetwork: { name: 'engines opened', max: 2_000, windowMs: 60_000 },
  ofAccount: { name: 'engines opened', max: 600, windowMs: 60_000 },
};
/** Of one process: all that another had come to it when that one ends. */
const OPENED_HERE: { ofStrangers: Limit; inAll: Limit } = {
  ofStrangers: { name: 'engines opened by strangers', max: 32_000, windowMs: 60_000 },
  inAll: { name: 'engines opened', max: 40_000, windowMs: 60_000 },
};
/** So soon a connection has a socket that was let in: browsers ask for it with the first packet. */
const ADMIT_MS = 15_000;

type Engine = { readonly request: IncomingMessage; once(event: 'close', listener: () => void): unknown };

export interface Engines<E extends Engine> {
  /** Whether one more may be opened, which then has its place. */
  mayOpen(request: IncomingMessage): Promise<boolean>;
  /** Keeps the place of one that was opened until it closes. */
  hold(engine: E): void;
  /** It has a socket. What has none in time is hung up on, and what was never opened loses its place. */
  admitted(engine: E): void;
}

type Parts<E extends Engine> = {
  clock: Clock;
  limits: Limits;
  rateFactor: number;
  networkOf: (request: IncomingMessage) => string;
  /** Whose session a request brings. */
  accountOf: (request: IncomingMessage) => Promise<string | undefined>;
  hangUp: (engine: E) => void;
};
/** What a connection takes up from the moment it may be opened. */
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
      // What strangers are refused uses up nothing of what is everybody's.
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

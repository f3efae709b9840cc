/**
 * Limits Engine.IO connections and how often they are opened: per account, per network of anonymous clients, for all
 * anonymous clients and in total. Limits shrink with the remaining capacity. These requests bypass Fastify, and one TCP
 * connection can open any number of them.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import { type ConnectionLimit, createConnectionLimit } from '../limits/connection-limit.ts';
import { createRateLimits, type RateLimit, type RateLimits } from '../limits/rate-limit.ts';

/**
 * Anonymous clients of a network get a quarter of its TCP connections, so that users find room at the same address. An
 * account gets more than its sockets, because closed polling connections are noticed late.
 */
const MAX_OPEN = { perNetwork: 250, perAccount: 400, anonymous: 16_000, total: 20_000 };
/** All connections of a network or user reconnect at once after an outage. */
const OPEN_RATE: { perNetwork: RateLimit; perAccount: RateLimit } = {
  perNetwork: { name: 'Engine.IO connections', max: 2_000, windowMs: 60_000 },
  perAccount: { name: 'Engine.IO connections', max: 600, windowMs: 60_000 },
};
/** Per process, enough to take over the clients of another process that ends. */
const OPEN_RATE_PER_PROCESS: { anonymous: RateLimit; total: RateLimit } = {
  anonymous: { name: 'anonymous Engine.IO connections', max: 32_000, windowMs: 60_000 },
  total: { name: 'Engine.IO connections', max: 40_000, windowMs: 60_000 },
};
/** Deadline for an admitted socket, which browsers request with the first packet. */
const ADMIT_MS = 15_000;

type EngineLike = { readonly request: IncomingMessage; once(event: 'close', listener: () => void): unknown };

export interface EngineIoLimits<E extends EngineLike> {
  /** Reserves a slot if one more connection may be opened. */
  tryOpen(request: IncomingMessage): Promise<boolean>;
  track(engine: E): void;
  /** A connection without a socket in time is closed, and an unused slot is released. */
  markAdmitted(engine: E): void;
}

type EngineIoLimitsOptions<E extends EngineLike> = {
  clock: Clock;
  limits: RateLimits;
  rateFactor: number;
  getNetwork: (request: IncomingMessage) => string;
  findAccount: (request: IncomingMessage) => Promise<string | undefined>;
  closeEngine: (engine: E) => void;
};
type Slot = { readonly limit: ConnectionLimit; readonly client: string; timer: NodeJS.Timeout };

export function createEngineIoLimits<E extends EngineLike>(options: EngineIoLimitsOptions<E>): EngineIoLimits<E> {
  const { clock, limits, rateFactor, getNetwork, findAccount, closeEngine } = options;
  const scale = (max: number) => Math.ceil(max * rateFactor);
  const processRates = createRateLimits(clock);
  const all = { open: 0, max: MAX_OPEN.total };
  const anonymous = { open: 0, max: MAX_OPEN.anonymous };
  const accounts = createConnectionLimit({ max: scale(MAX_OPEN.perAccount), pools: [all] });
  const networks = createConnectionLimit({ max: scale(MAX_OPEN.perNetwork), pools: [all, anonymous] });
  const slots = new WeakMap<IncomingMessage, Slot>();

  const afterDeadline = (work: () => void) => setTimeout(work, ADMIT_MS).unref();

  function release(request: IncomingMessage): void {
    const slot = slots.get(request);
    if (!slot) return;
    slots.delete(request);
    clearTimeout(slot.timer);
    slot.limit.close(slot.client);
  }

  const isTooFast = (client: string, isAnonymous: boolean) =>
    limits.count(isAnonymous ? OPEN_RATE.perNetwork : OPEN_RATE.perAccount, client) > 0 ||
    (isAnonymous && processRates.count(OPEN_RATE_PER_PROCESS.anonymous, '') > 0) ||
    processRates.count(OPEN_RATE_PER_PROCESS.total, '') > 0;

  return {
    tryOpen: async (request) => {
      if (all.open >= all.max) return false;
      const account = await findAccount(request);
      const isAnonymous = account === undefined;
      const limit = isAnonymous ? networks : accounts;
      const client = account ?? getNetwork(request);
      if (!limit.tryOpen(client)) return false;
      slots.set(request, { limit, client, timer: afterDeadline(() => release(request)) });
      if (!isTooFast(client, isAnonymous)) return true;
      release(request);
      return false;
    },
    track: (engine) => {
      const slot = slots.get(engine.request);
      if (!slot) return closeEngine(engine);
      clearTimeout(slot.timer);
      slot.timer = afterDeadline(() => closeEngine(engine));
      engine.once('close', () => release(engine.request));
    },
    markAdmitted: ({ request }) => clearTimeout(slots.get(request)?.timer),
  };
}

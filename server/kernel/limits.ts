/**
 * How often somebody may do something: counted at once in the process, and with a Redis over all processes. Of what others counted
 * a process hears with its first call and with every twentieth part of what is allowed, so that a call seldom waits for it, and
 * no process lets more through than that part beyond. While Redis is away each counts for itself.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from './clock.ts';
import type { Redis } from './redis.ts';

/** `max` times in `windowMs` from the first. Each name is counted for itself. */
export type Limit = { readonly name: string; readonly max: number; readonly windowMs: number };

export interface Limits {
  /** Counts one. Answers the milliseconds to wait when it is too many, else 0; by what this process knows now. */
  count(limit: Limit, key: string): number;
  /** The same, and waits for the others' counts when it is time to hear them. */
  countShared(limit: Limit, key: string): number | Promise<number>;
  /** How many counts are kept. */
  readonly size: number;
}

type Count = { own: number; told: number; others: number; until: number };

const PARTS = 20;
const MAX_KEPT = 50_000;
/** How often counts go whose windows have ended. */
const SWEEP_MS = 60_000;

const ADD = `
local total = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {total, left}`;
const added = z.tuple([z.number(), z.number()]);

export function createLimits(clock: Clock, redis: Redis | undefined): Limits {
  const counts = new Map<string, Count>();
  const now = () => clock.now().getTime();
  let sweepAt = 0;

  function sweep(at: number): void {
    if (at < sweepAt) return;
    sweepAt = at + SWEEP_MS;
    for (const [key, { until }] of counts) if (until <= at) counts.delete(key);
  }

  function find(key: string, windowMs: number): Count {
    const known = counts.get(key);
    if (known && known.until > now()) return known;
    sweep(now());
    // Kept in the order in which windows began: what is forgotten is the oldest.
    counts.delete(key);
    if (counts.size >= MAX_KEPT) for (const oldest of counts.keys().take(MAX_KEPT / 10)) counts.delete(oldest);
    const count = { own: 0, told: 0, others: 0, until: now() + windowMs };
    counts.set(key, count);
    return count;
  }

  const waitMs = (count: Count, max: number) => (count.own + count.others > max ? Math.max(1, count.until - now()) : 0);

  async function tell(shared: Redis, key: string, count: Count, windowMs: number): Promise<void> {
    const untold = count.own - count.told;
    count.told = count.own;
    const { told } = count;
    const answer = z.safeParse(added, await shared.ask(ADD, `limit:${key}`, [String(untold), String(windowMs)]));
    if (!answer.success) {
      count.told -= untold;
      return;
    }
    const [total, leftMs] = answer.data;
    count.others = Math.max(count.others, total - told);
    count.until = now() + leftMs;
  }

  /** Counts; answers what hears of the others, when it is time. */
  function add({ name, max, windowMs }: Limit, key: string): { count: Count; hearing: Promise<void> | undefined } {
    const full = `${name} ${key}`;
    const count = find(full, windowMs);
    if (count.own + count.others > max) return { count, hearing: undefined };
    count.own += 1;
    const isTime = count.own === 1 || count.own - count.told >= Math.max(1, max / PARTS);
    return { count, hearing: redis && isTime ? tell(redis, full, count, windowMs) : undefined };
  }

  return {
    get size() {
      return counts.size;
    },
    count: (limit, key) => waitMs(add(limit, key).count, limit.max),
    countShared: (limit, key) => {
      const { count, hearing } = add(limit, key);
      return hearing ? hearing.then(() => waitMs(count, limit.max)) : waitMs(count, limit.max);
    },
  };
}

/** Refuses what has to wait. */
export function refuseIfLate(waitMs: number): void {
  if (waitMs > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

/** A route's hook: so many requests of each caller, who is told how long to wait. */
export function limitRequests(
  limits: Limits,
  limit: Limit | ((request: FastifyRequest) => Limit),
  callerOf: (request: FastifyRequest) => string,
) {
  return async (request: FastifyRequest): Promise<void> =>
    refuseIfLate(await limits.countShared(typeof limit === 'function' ? limit(request) : limit, callerOf(request)));
}

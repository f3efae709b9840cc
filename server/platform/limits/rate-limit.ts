/**
 * Limits how often something happens, counted in the process and, with Redis, across processes. While Redis is
 * unreachable each process counts by itself.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Redis } from '../realtime/redis.ts';
import { createSlidingRateLimits, type SlidingRateLimit } from './sliding-rate-limit.ts';

export type RateLimit = {
  /** Limits with the same name share their counts. */
  readonly name: string;
  /** Calls of each key in a window of `windowMs`, which begins with the first call. */
  readonly max: number;
  readonly windowMs: number;
  /** `max` is not multiplied by RATE_LIMIT_FACTOR. */
  readonly isFixed?: boolean;
};

/** All functions count one call and return the milliseconds to wait when the limit is exceeded, otherwise 0. */
export interface RateLimits {
  /** Counts by what this process knows. */
  count(limit: RateLimit, key: string): number;
  /** Like `count`, but waits for the counts of other processes when they are due. */
  countShared(limit: RateLimit, key: string): number | Promise<number>;
  /** Limits any period of the given length, in all processes together. Each call takes a query of Redis. */
  countSliding(limit: SlidingRateLimit, key: string): Promise<number>;
  readonly size: number;
}

type Count = { own: number; reported: number; others: number; until: number };

/**
 * A process synchronizes with its first call and after every twentieth of the limit, so that calls rarely wait and no
 * process exceeds the limit by more than that part.
 */
const SYNCS_PER_LIMIT = 20;
const MAX_COUNTS = 50_000;
const SWEEP_MS = 60_000;

const ADD = `
local total = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {total, left}`;
const redisResult = z.tuple([z.number(), z.number()]);

/** `rateFactor` multiplies the limits. */
export function createRateLimits(clock: Clock, redis?: Redis, rateFactor = 1): RateLimits {
  const counts = new Map<string, Count>();
  const scale = (max: number) => Math.ceil(max * rateFactor);
  const countSliding = createSlidingRateLimits({ clock, redis, scale });
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
    counts.delete(key);
    if (counts.size >= MAX_COUNTS) for (const oldest of counts.keys().take(MAX_COUNTS / 10)) counts.delete(oldest);
    const count = { own: 0, reported: 0, others: 0, until: now() + windowMs };
    counts.set(key, count);
    return count;
  }

  const getMax = ({ max, isFixed = false }: RateLimit) => (isFixed ? max : scale(max));
  const isExceeded = ({ own, others }: Count, limit: RateLimit) => own + others > getMax(limit);
  const getWaitMs = (count: Count, limit: RateLimit, total = count.own + count.others) =>
    total > getMax(limit) ? Math.max(1, count.until - now()) : 0;

  /** Returns the calls of all processes up to this one, or undefined if Redis does not respond. */
  async function syncCount(shared: Redis, key: string, count: Count, windowMs: number): Promise<number | undefined> {
    const unreported = count.own - count.reported;
    count.reported = count.own;
    const { reported } = count;
    const result = z.safeParse(
      redisResult,
      await shared.runScript(ADD, `limit:${key}`, [String(unreported), String(windowMs)]),
    );
    if (!result.success) {
      count.reported -= unreported;
      return undefined;
    }
    const [total, leftMs] = result.data;
    count.others = Math.max(count.others, total - reported);
    // A Redis that lost its data begins a new window, which must not lengthen this one.
    count.until = Math.min(count.until, now() + leftMs);
    return total;
  }

  function add(limit: RateLimit, key: string): { count: Count; syncing: Promise<number | undefined> | undefined } {
    const { name, windowMs } = limit;
    const fullKey = `${name} ${key}`;
    const count = find(fullKey, windowMs);
    if (isExceeded(count, limit)) return { count, syncing: undefined };
    count.own += 1;
    const isSyncDue = count.own === 1 || count.own - count.reported >= Math.max(1, getMax(limit) / SYNCS_PER_LIMIT);
    return { count, syncing: redis && isSyncDue ? syncCount(redis, fullKey, count, windowMs) : undefined };
  }

  return {
    get size() {
      return counts.size;
    },
    count: (limit, key) => getWaitMs(add(limit, key).count, limit),
    countShared: (limit, key) => {
      const { count, syncing } = add(limit, key);
      // Later calls change the count while this one waits.
      const { own } = count;
      return syncing
        ? syncing.then((total = own + count.others) => getWaitMs(count, limit, total))
        : getWaitMs(count, limit);
    },
    countSliding,
  };
}

/** Throws RATE_LIMITED with the seconds to wait. */
export function requireNotLimited(waitMs: number, message?: string): void {
  if (waitMs <= 0) return;
  throw new AppError('RATE_LIMITED', {
    ...(message !== undefined && { message }),
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/** Creates a hook of Fastify. */
export function limitRequests(
  limits: RateLimits,
  limit: RateLimit | ((request: FastifyRequest) => RateLimit),
  getKey: (request: FastifyRequest) => string,
) {
  return async (request: FastifyRequest): Promise<void> =>
    requireNotLimited(await limits.countShared(typeof limit === 'function' ? limit(request) : limit, getKey(request)));
}

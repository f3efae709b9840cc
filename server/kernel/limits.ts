/**
 * Rate limits, counted in the process and, with Redis, across processes. A process synchronizes with its first call and
 * after every twentieth of the limit, so that calls rarely wait and no process exceeds the limit by more than that
 * part. While Redis is unreachable each process counts by itself.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from './clock.ts';
import type { Redis } from './redis.ts';

export type Limit = { readonly name: string; readonly max: number; readonly windowMs: number };

export interface Limits {
  /**
   * Counts one call by what this process knows. Returns the milliseconds to wait when the limit is exceeded, otherwise
   * 0.
   */
  count(limit: Limit, key: string): number;
  /** Like `count`, but waits for the counts of other processes when they are due. */
  countShared(limit: Limit, key: string): number | Promise<number>;
  readonly size: number;
}

type Count = { own: number; told: number; others: number; until: number };

const PARTS = 20;
const MAX_KEPT = 50_000;
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

export function refuseIfLate(waitMs: number): void {
  if (waitMs > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

export function limitRequests(
  limits: Limits,
  limit: Limit | ((request: FastifyRequest) => Limit),
  callerOf: (request: FastifyRequest) => string,
) {
  return async (request: FastifyRequest): Promise<void> =>
    refuseIfLate(await limits.countShared(typeof limit === 'function' ? limit(request) : limit, callerOf(request)));
}

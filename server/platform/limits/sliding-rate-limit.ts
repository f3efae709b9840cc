/** Limits every period of a given length, not only windows one after another. Exact across processes with Redis. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Redis } from '../realtime/redis.ts';

export type SlidingRateLimit = {
  readonly name: string;
  /** At most `max` calls of each key in any `windowMs`. A call must pass all of them, and is counted only then. */
  readonly windows: readonly { readonly max: number; readonly windowMs: number }[];
};

const MAX_KEYS = 50_000;

/** Uses the clock of Redis, so that the clocks of the processes do not matter. */
const COUNT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 3, #ARGV, 2 do
  local max, window = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local earliest = redis.call('ZREVRANGE', KEYS[1], max - 1, max - 1, 'WITHSCORES')[2]
  if earliest and now - earliest < window then return earliest + window - now end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 0`;

export function createSlidingRateLimits(options: {
  clock: Clock;
  redis: Redis | undefined;
  scale: (max: number) => number;
}): (limit: SlidingRateLimit, key: string) => Promise<number> {
  const { clock, redis, scale } = options;
  const timesByKey = new Map<string, number[]>();

  function countLocally(key: string, windows: SlidingRateLimit['windows'], longestMs: number): number {
    if (timesByKey.size > MAX_KEYS) timesByKey.clear();
    const now = clock.now().getTime();
    const times = (timesByKey.get(key) ?? []).filter((at) => now - at < longestMs);
    timesByKey.set(key, times);
    for (const { max, windowMs } of windows) {
      const earliest = times.at(-scale(max));
      if (earliest !== undefined && now - earliest < windowMs) return earliest + windowMs - now;
    }
    times.push(now);
    return 0;
  }

  return async ({ name, windows }, key) => {
    const fullKey = `${name} ${key}`;
    const longestMs = Math.max(...windows.map(({ windowMs }) => windowMs));
    const waitMs = countLocally(fullKey, windows, longestMs);
    if (waitMs > 0 || !redis) return waitMs;
    const countedAt = timesByKey.get(fullKey)?.at(-1) ?? 0;
    const values = windows.flatMap(({ max, windowMs }) => [scale(max), windowMs]);
    const result = await redis.runScript(COUNT, `limit:${fullKey}`, [
      randomUUID(),
      ...[longestMs, ...values].map(String),
    ]);
    if (typeof result !== 'number' || result <= 0) return 0;
    // Other processes used up the limit, and a refused call does not count.
    const times = timesByKey.get(fullKey) ?? [];
    const index = times.lastIndexOf(countedAt);
    if (index >= 0) times.splice(index, 1);
    return result;
  };
}

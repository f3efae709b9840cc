/** Counts open connections across processes. Without Redis each process applies the limits to its own connections. */
import { randomUUID } from 'node:crypto';
import type { Redis } from '../realtime/redis.ts';
import { KeyCounts } from './key-counts.ts';

/** `max`: open connections of the key in all processes together. */
export type SharedConnectionLimit = { readonly key: string; readonly max: number };

export interface SharedConnections {
  /** Counts one more connection of each key at once. `close` is idempotent, and must be called also beyond a limit. */
  open(limits: readonly SharedConnectionLimit[]): { close: () => void; isWithinLimits: Promise<boolean> };
  stop(): void;
}

const STALE_SECONDS = 150;
const SYNC_MS = 60_000;

const SYNC = `
local now = tonumber(redis.call('TIME')[1])
if ARGV[2] == '0' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. now) end
local total = 0
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local count, at = string.match(all[i + 1], '^(%d+) (%d+)$')
  if now - at > ${STALE_SECONDS} then redis.call('HDEL', KEYS[1], all[i]) else total = total + count end
end
redis.call('EXPIRE', KEYS[1], ${STALE_SECONDS})
return total`;

export function createSharedConnectionLimits(redis: Redis | undefined): SharedConnections {
  const processId = randomUUID();
  const ownCounts = new KeyCounts();

  async function syncCount(key: string): Promise<number> {
    const ownCount = ownCounts.get(key);
    const total = await redis?.runScript(SYNC, `connections:${key}`, [processId, String(ownCount)]);
    return typeof total === 'number' ? total : ownCount;
  }

  const syncTimer = setInterval(() => {
    for (const key of ownCounts.keys()) void syncCount(key);
  }, SYNC_MS);
  syncTimer.unref();

  return {
    open: (limits) => {
      for (const { key } of limits) ownCounts.add(key, 1);
      let isOpen = true;
      const close = () => {
        if (!isOpen) return;
        isOpen = false;
        for (const { key } of limits) {
          ownCounts.add(key, -1);
          void syncCount(key);
        }
      };
      const checkLimit = async ({ key, max }: SharedConnectionLimit) =>
        ownCounts.get(key) <= max && (await syncCount(key)) <= max;
      return { close, isWithinLimits: Promise.all(limits.map(checkLimit)).then((checks) => checks.every(Boolean)) };
    },
    stop: () => clearInterval(syncTimer),
  };
}

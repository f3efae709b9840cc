/**
 * Counts open sockets per session and account across processes. Without Redis each process applies the limits to its
 * own sockets.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../security/session.ts';
import type { Redis } from '../realtime/redis.ts';

export type OpenSocketLimits = { readonly perSession: number; readonly perAccount: number };

export interface OpenSockets {
  /** Counts one more socket at once. `removeSocket` is idempotent. */
  addSocket(actor: Actor): { removeSocket: () => void; isWithinLimits: Promise<boolean> };
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

export function createOpenSockets(limits: OpenSocketLimits, redis: Redis | undefined): OpenSockets {
  const processId = randomUUID();
  const counts = new Map<string, number>();

  async function syncCount(key: string): Promise<number> {
    const ownCount = counts.get(key) ?? 0;
    const total = await redis?.runScript(SYNC, `sockets:${key}`, [processId, String(ownCount)]);
    return typeof total === 'number' ? total : ownCount;
  }

  function add(key: string, delta: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + delta;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  }

  const syncTimer = setInterval(() => {
    for (const key of counts.keys()) void syncCount(key);
  }, SYNC_MS);
  syncTimer.unref();

  return {
    addSocket: ({ sessionId, userId }) => {
      const limitsByKey: [string, number][] = [
        [`session:${sessionId}`, limits.perSession],
        [`account:${userId}`, limits.perAccount],
      ];
      for (const [key] of limitsByKey) add(key, 1);
      let isCounted = true;
      const removeSocket = () => {
        if (!isCounted) return;
        isCounted = false;
        for (const [key] of limitsByKey) {
          add(key, -1);
          void syncCount(key);
        }
      };
      const checkLimit = async ([key, max]: [string, number]) =>
        (counts.get(key) ?? 0) <= max && (await syncCount(key)) <= max;
      return {
        removeSocket,
        isWithinLimits: Promise.all(limitsByKey.map(checkLimit)).then((checks) => checks.every(Boolean)),
      };
    },
    stop: () => clearInterval(syncTimer),
  };
}

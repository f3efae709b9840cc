/**
 * Counts open sockets per session and account across processes. Without Redis each process applies the limits to its
 * own sockets.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from './redis.ts';
import type { Actor } from './session.ts';

export type SocketLimits = { readonly ofSession: number; readonly ofAccount: number };

export interface OpenSockets {
  /** Counts one more socket at once. `leave` is idempotent. */
  enter(actor: Actor): { leave: () => void; hasRoom: Promise<boolean> };
  stop(): void;
}

const STALE_SECONDS = 150;
const REPEAT_MS = 60_000;

const KEEP = `
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

export function createOpenSockets(limits: SocketLimits, redis: Redis | undefined): OpenSockets {
  const node = randomUUID();
  const counts = new Map<string, number>();

  async function tell(key: string): Promise<number> {
    const own = counts.get(key) ?? 0;
    const total = await redis?.ask(KEEP, `sockets:${key}`, [node, String(own)]);
    return typeof total === 'number' ? total : own;
  }

  function add(key: string, more: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + more;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  }

  const repeating = setInterval(() => {
    for (const key of counts.keys()) void tell(key);
  }, REPEAT_MS);
  repeating.unref();

  return {
    enter: ({ sessionId, userId }) => {
      const places: [string, number][] = [
        [`session:${sessionId}`, limits.ofSession],
        [`account:${userId}`, limits.ofAccount],
      ];
      for (const [key] of places) add(key, 1);
      let isIn = true;
      const leave = () => {
        if (!isIn) return;
        isIn = false;
        for (const [key] of places) {
          add(key, -1);
          void tell(key);
        }
      };
      const hasRoomIn = async ([key, most]: [string, number]) =>
        (counts.get(key) ?? 0) <= most && (await tell(key)) <= most;
      return { leave, hasRoom: Promise.all(places.map(hasRoomIn)).then((rooms) => rooms.every(Boolean)) };
    },
    stop: () => clearInterval(repeating),
  };
}
